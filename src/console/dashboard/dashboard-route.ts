import type { AttemptKind } from '../../customers/people/attempt-limits.ts';
import type { MemberRole, Visitor } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Call, HandlerResult, RouteShape, ViewOf } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { RecentSignIn } from './require-recent-sign-in.ts';

/**
 * The visitors that a route admits. `anyone` needs no session and `person` any session. A role is the least
 * role in the organization that the path names as `{account}`.
 */
export type Access = 'anyone' | 'person' | MemberRole;

export type DashboardShape = RouteShape & {
  path: `/dashboard/v1/${string}`;
  access: Access;
  /**
   * Counts each request as an attempt of this kind by the client's networks. If the body has an `email`, the
   * attempt also counts for that address.
   */
  attempts?: AttemptKind;
  /** Refuses visitors whose session began too long ago. */
  recentSignIn?: RecentSignIn;
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

/** A route whose handler was checked. `never` lets one table hold handlers of different calls. */
export type DashboardRoute<Shape extends DashboardShape = DashboardShape> = Shape & {
  handle(call: never, parts: DashboardParts): HandlerResult<unknown>;
};

/** Makes a route. A `Reply` of its handler is sent as it is, for streams, files and cookies. */
export const dashboardRoute = <const Shape extends DashboardShape>(
  shape: Shape,
  handle: (
    call: DashboardCall<Shape>,
    parts: DashboardParts,
  ) => HandlerResult<ViewOf<Shape['answer']> | Reply>,
): DashboardRoute<Shape> => ({ ...shape, handle });
