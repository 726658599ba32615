import type { Static, TObject, TSchema } from 'typebox';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Method } from '../../edge/http/route.ts';
import type { DeepReadonly } from '../../settings/config/deep-readonly.ts';

/**
 * Describes the input and the answer of a route of the admin API or the dashboard's API. Its checks, the
 * types of its handler and of its callers, and its documentation derive from it.
 *
 * Example:
 *
 *     const route = adminRouteWith<'accounts'>();
 *
 *     route(
 *       { method: 'GET', path: '/admin/v1/accounts/{id}', summary: 'Shows an account', answer: account, … },
 *       async ({ params }, { accounts }) => viewOf(accepted(await accounts.find(params.id))),
 *     )
 */
export type RouteShape = {
  method: Method;
  /** `{name}` matches one segment and `{name*}` matches the rest. */
  path: string;
  /** The query parameters. The text of a parameter becomes a number where the schema has a number. */
  query?: TObject;
  body?: TSchema;
  answer: TSchema;
  /** The status of the answer. The default is 200. */
  status?: number;
};

/** A request to a route, after its query and its body were checked. */
export type Call<Shape extends RouteShape> = {
  exchange: Exchange;
  params: ParamsOf<Shape['path']>;
  query: QueryOf<Shape>;
  body: BodyOf<Shape>;
};

/** A value in the form of a schema. */
export type ViewOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** A handler returns the answer of its route. It throws refusals, mostly by `accepted()`. */
export type HandlerResult<Answer> = Answer | Promise<Answer>;

/** A call whose handler reads the body. */
export type WithBody<Schema extends TSchema> = { body: Static<Schema> };
/** A call whose handler reads the query. */
export type WithQuery<Schema extends TSchema> = { query: Static<Schema> };
/** A call whose handler reads parameters of the path. */
export type WithParams<Name extends string> = { params: Readonly<Record<Name, string>> };

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Whole}*` ? Whole : Name) | NamesIn<Rest>
  : never;

/** The parameters in a path: `/accounts/{id}/keys` has `id`. */
export type ParamsOf<Path extends string> = { [Name in NamesIn<Path>]: string };

type Nothing = Record<never, never>;

export type QueryOf<Shape extends RouteShape> = Shape extends { query: infer Query extends TSchema }
  ? Static<Query>
  : Nothing;

export type BodyOf<Shape extends RouteShape> = Shape extends { body: infer Body extends TSchema }
  ? Static<Body>
  : undefined;

/** The answer that callers of a route get. */
export type AnswerOf<Shape extends RouteShape> = Static<Shape['answer']>;
