import { Refusal } from '../../base/errors/refusal.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { definedOf } from '../../base/lib/records.ts';
import type { AttemptKind } from '../../customers/people/attempt-limits.ts';
import { clientNetworks } from '../../edge/http/client-network.ts';
import { createSmallBodyReader } from '../../edge/http/create-small-body-reader.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { createCallReader } from '../routes/create-call-reader.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { DashboardRoute } from './dashboard-route.ts';
import { refuseVisitor } from './refuse-visitor.ts';
import { requireRecentSignIn } from './require-recent-sign-in.ts';
import { requireSameOrigin } from './require-same-origin.ts';

/**
 * Makes a route of the server. The origin, the session, the role, the query and the body are checked before
 * the handler runs.
 */
export function serveDashboardRoute(route: DashboardRoute, parts: DashboardParts): Route {
  const { method, path, access, attempts, recentSignIn, status = 200 } = route;
  const readBody = access === 'anyone' ? createSmallBodyReader(parts.readBytes) : parts.readBody;
  const readCall = createCallReader(route, { readBody, isQueryClosed: false });
  return {
    method,
    path,
    async handle(exchange) {
      exchange.headers['cache-control'] = 'no-store';
      const foreign = requireSameOrigin(exchange);
      if (foreign) return foreign;
      const visitor = await parts.visitors.identify(exchange);
      const accountId = exchange.params.account;
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
      return isReply(answer) ? answer : jsonReply(status, answer);
    },
  };
}

const isReply = (answer: unknown): answer is Reply =>
  isObject(answer) && 'status' in answer && 'body' in answer;

function countAttempt(
  { attempts }: DashboardParts,
  kind: AttemptKind,
  { exchange, body }: { exchange: Exchange; body: unknown },
): Promise<Refusal | undefined> {
  // Only some bodies have an email, whose type their schema has checked.
  const { email } = (body ?? {}) as { email?: string };
  const networks = clientNetworks(exchange);
  return attempts.count({ kind, networks, ...definedOf({ subject: email }) });
}
