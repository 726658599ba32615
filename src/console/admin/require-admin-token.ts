import { Refusal } from '../../base/errors/refusal.ts';
import type { AdminRole, Operator } from '../../customers/operators/admin-token.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import type { AdminGate } from './admin-gate.ts';
import { identifyOperator } from './identify-operator.ts';
import { admittedRoles, type RestrictedRoute } from './restricted-route.ts';

/**
 * Restricts routes to requests with an admin token whose role is sufficient. Handlers find the holder in
 * `exchange.operator`.
 */
export const requireAdminToken = (gate: AdminGate, routes: readonly RestrictedRoute[]): Route[] =>
  routes.map((restricted) => {
    const { roles, needsRecentSignIn: _, ...route } = restricted;
    const admitted = admittedRoles(restricted);
    return {
      ...route,
      ...(roles && route.describe && { describe: withRoleError(route.describe) }),
      handle: async (exchange) => {
        const operator = await identifyOperator(exchange, gate);
        if (operator instanceof Refusal) return operator;
        if (!admitted.includes(operator.role)) return refuseRole(operator, admitted);
        exchange.operator = operator.name;
        exchange.operatorRole = operator.role;
        return route.handle(exchange);
      },
    };
  });

/** Adds the error of a role that is not sufficient. */
const withRoleError = (describe: RouteDescription): RouteDescription => ({
  ...describe,
  errors: [...(describe.errors ?? []), 'permission_denied'],
});

function refuseRole({ role }: Operator, admitted: readonly AdminRole[]): Refusal {
  const needed = admitted.map((name) => `\`${name}\``).join(' or ');
  const message = `The admin token has the role \`${role}\`. This request needs ${needed}.`;
  return new Refusal('permission_denied', { message });
}
