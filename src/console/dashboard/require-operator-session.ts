import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Visitors } from '../../customers/people/visitor.ts';
import type { Route } from '../../edge/http/route.ts';
import { admittedRoles, type RestrictedRoute } from '../admin/restricted-route.ts';
import { signedOut } from './refuse-visitor.ts';
import { requireRecentSignIn } from './require-recent-sign-in.ts';
import { requireSameOrigin } from './require-same-origin.ts';

/**
 * Serves the routes of the admin API to operators with a session, under `/dashboard/v1/operator`. The audit
 * log names the person.
 */
export const requireOperatorSession = (
  { visitors, clock }: { visitors: Visitors; clock: Clock },
  routes: readonly RestrictedRoute[],
): Route[] =>
  routes.map((route) => ({
    method: route.method,
    path: route.path.replace(/^\/admin\/v1/, '/dashboard/v1/operator'),
    handle: async (exchange) => {
      exchange.headers['cache-control'] = 'no-store';
      const foreign = requireSameOrigin(exchange);
      if (foreign) return foreign;
      const visitor = await visitors.identify(exchange);
      if (!visitor) return signedOut();
      if (visitor.operator === null) return new Refusal('not_found');
      if (!admittedRoles(route).includes(visitor.operator)) return tooWeak(visitor.operator);
      const stale = route.needsRecentSignIn && requireRecentSignIn(visitor, 'always', clock.now());
      if (stale) return stale;
      exchange.operator = visitor.email;
      exchange.operatorRole = visitor.operator;
      return route.handle(exchange);
    },
  }));

const tooWeak = (role: string): Refusal =>
  new Refusal('permission_denied', {
    message: `Your role as an operator is ${role}, which does not allow this.`,
  });
