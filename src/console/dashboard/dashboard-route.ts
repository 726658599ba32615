import { Type } from '../../base/schema/type.ts';
import type { AttemptKind } from '../../customers/people/attempt-limits.ts';
import type { MemberRole, Visitor } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Call, HandlerResult, RouteShape, ViewOf } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';

/**
 * The visitors that a route admits. `anyone` needs no session and `person` any session. A role is the least
 * role in the organization that the path names as `{account}`.
 */
export type Access = 'anyone' | 'person' | MemberRole;

export type DashboardShape = RouteShape & {
  path: `/dashboard/v1/${string}`;
  access: Access;
  /**
   * Requests count as attempts of this kind: of the client's networks, and for the
   * `email` of the body if it has one.
   */
  attempts?: AttemptKind;
};

type DashboardCall<Shape extends DashboardShape> = Call<Shape> & {
  visitor: Shape['access'] extends 'anyone' ? Visitor | undefined : Visitor;
  /** The id of the account that the path names as `{account}`. */
  accountId: Shape['path'] extends `${string}{account}${string}` ? string : undefined;
};

/** A call that needs no session. `Input` has the parameters, the query or the body that a handler reads. */
export type GuestCall<Input = unknown> = { exchange: Exchange } & Input;

/** A call by somebody with a session. */
export type PersonCall<Input = unknown> = GuestCall<{ visitor: Visitor } & Input>;

/** A call about an organization in which the visitor has a role. */
export type OrganizationCall<Input = unknown> = PersonCall<{ accountId: string } & Input>;

/** A route whose handler was checked, so that a table can hold routes of all shapes. */
export type DashboardRoute<Shape extends DashboardShape = DashboardShape> = Shape & {
  handle(call: never, parts: DashboardParts): HandlerResult<unknown>;
};

/** The answer of a route whose handler makes the whole reply, such as a file, a page or a stream. */
export const wholeReply = Type.Unsafe<Reply>(Type.Unknown());

/** Makes a route. A `Reply` of its handler is sent as it is, for streams, files and cookies. */
export const dashboardRoute = <const Shape extends DashboardShape>(
  shape: Shape,
  handle: (
    call: DashboardCall<Shape>,
    parts: DashboardParts,
  ) => HandlerResult<ViewOf<Shape['answer']> | Reply>,
): DashboardRoute<Shape> => ({ ...shape, handle });
