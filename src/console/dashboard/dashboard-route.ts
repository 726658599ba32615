import { Refusal } from '../../base/errors/refusal.ts';
import { definedOf } from '../../base/lib/records.ts';
import type { AttemptKind } from '../../customers/people/attempt-limits.ts';
import { hasMemberRole, type MemberRole, roleIn, type Visitor } from '../../customers/people/visitor.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { createCallReader } from '../routes/create-call-reader.ts';
import type { Call, HandlerResult, RouteShape, ViewOf } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { type RecentSignIn, requireRecentSignIn } from './require-recent-sign-in.ts';
import { requireSameOrigin } from './require-same-origin.ts';

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
  recentSignIn?: RecentSignIn;
};

/**
 * `visitor` is undefined only where the access is `anyone`. `accountId` is the account that the path names.
 */
export type DashboardCall<Shape extends RouteShape = RouteShape> = Call<Shape> & {
  visitor: Visitor;
  accountId: string;
};

/** A route whose handler was checked, so that a table can hold routes of all shapes. */
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

const isReply = (answer: unknown): answer is Reply =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'body' in answer;

/**
 * Makes a route of the server: same origin, session, role, query and body are
 * checked before the handler runs.
 */
export function serveDashboardRoute(route: DashboardRoute, parts: DashboardParts): Route {
  const { method, path, access, attempts, recentSignIn, status = 200 } = route;
  const readCall = createCallReader(route, { readBody: parts.readBody, isQueryClosed: false });
  return {
    method,
    path,
    async handle(exchange) {
      exchange.headers['cache-control'] = 'no-store';
      const foreign = requireSameOrigin(exchange);
      if (foreign) return foreign;
      const visitor = await parts.visitors.identify(exchange);
      const accountId = exchange.params.account ?? '';
      const refusal = refuseVisitor(access, visitor, accountId);
      if (refusal) return refusal;
      const stale = visitor && recentSignIn && requireRecentSignIn(visitor, recentSignIn, parts.clock.now());
      if (stale) return stale;
      const call = await readCall(exchange);
      if (call instanceof Refusal) return call;
      const wait = attempts && (await countAttempt(parts, attempts, call));
      if (wait) return wait;
      // `dashboardRoute` has checked what the handler takes.
      const answer = await route.handle({ ...call, visitor, accountId } as never, parts);
      return answer instanceof Refusal || isReply(answer) ? answer : jsonReply(status, answer);
    },
  };
}

function countAttempt(
  { attempts }: DashboardParts,
  kind: AttemptKind,
  { exchange, body }: { exchange: Exchange; body: unknown },
): Promise<Refusal | undefined> {
  // The schema of the body says whether there is an email.
  const { email } = (body ?? {}) as { email?: string };
  const networks = clientNetworks(exchange);
  return attempts.count({ kind, networks, ...definedOf({ subject: email }) });
}

function refuseVisitor(access: Access, visitor: Visitor | undefined, accountId: string): Refusal | undefined {
  if (access === 'anyone') return undefined;
  if (!visitor) return signedOut();
  if (access === 'person') return undefined;
  return refuseRole(visitor, accountId, access);
}

/** Refuses a visitor who has not at least this role in the organization. */
export function refuseRole(visitor: Visitor, accountId: string, access: MemberRole): Refusal | undefined {
  const role = roleIn(visitor, accountId);
  if (!role) return new Refusal('not_found', { message: 'You are in no organization with this id.' });
  return hasMemberRole(visitor, accountId, access) ? undefined : tooWeak(role, access);
}

/** Refuses a request without a session. */
export const signedOut = (): Refusal =>
  new Refusal('missing_api_key', { message: 'You are signed out. Sign in again.' });

const tooWeak = (role: MemberRole, access: MemberRole): Refusal =>
  new Refusal('permission_denied', {
    message: `Your role in this organization is ${role}. This needs the role ${access}.`,
  });
