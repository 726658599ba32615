import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteShape } from '../routes/typed-route.ts';
import type { adminTable } from './admin-table.ts';

type Row = (typeof adminTable)[number];
type KeyOf<Route extends Row> = Route extends { path: `/admin/v1${infer Path}` }
  ? `${Route['method']} ${Path}`
  : never;

/**
 * A route of the admin API by its method and its path after `/admin/v1`, for example `GET /accounts/{id}`.
 */
export type AdminKey = KeyOf<Row>;

type RowOf<Key extends AdminKey> = Key extends `${infer Method} ${infer Path}`
  ? Extract<Row, { method: Method; path: `/admin/v1${Path}` }>
  : never;

/** The answers of the routes of the admin API. */
export type AdminAnswer<Key extends AdminKey> = AnswerOf<RowOf<Key>>;

/** An item of a list of the admin API. */
export type AdminItem<Key extends AdminKey> =
  AdminAnswer<Key> extends { data: readonly (infer Item)[] } ? Item : never;

/** A member that is absent without fields, and optional if all its fields are optional. */
type Member<Name extends string, Value> = keyof Value extends never
  ? { [key in Name]?: undefined }
  : Record<never, never> extends Value
    ? { [key in Name]?: Value }
    : { [key in Name]: Value };

/** Fields of a query that can be undefined, which leaves them out. */
type OrUndefined<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

type CallOf<Shape extends RouteShape> = Member<'params', ParamsOf<Shape['path']>> &
  Member<'query', OrUndefined<QueryOf<Shape>>> &
  (BodyOf<Shape> extends undefined ? { body?: undefined } : { body: BodyOf<Shape> });

/** The parameters, the query and the body of a call of the admin API. */
export type AdminArguments<Key extends AdminKey> = CallOf<RowOf<Key>>;
