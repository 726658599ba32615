import { steadyClock } from '../../base/lib/clock.ts';
import { TokenService, type TokenServiceParts } from '../../customers/operators/token-service.ts';
import { WrongTokens } from '../../customers/operators/wrong-tokens.ts';
import type { Route } from '../../edge/http/route.ts';
import type { AdminParts } from './admin-parts.ts';
import { type AdminRoute, serveAdminRoute } from './admin-route.ts';
import { adminTable } from './admin-table.ts';
import { clockRoutes } from './clock-routes.ts';
import type { AdminGate } from './identify-operator.ts';
import { requireAdminToken } from './require-admin-token.ts';
import type { RestrictedRoute } from './restricted-route.ts';

/** The routes for operators, without the check of a token or session. */
export function operatorRoutes(parts: AdminParts): RestrictedRoute[] {
  const routes: readonly AdminRoute[] = parts.movableClock ? [...adminTable, ...clockRoutes] : adminTable;
  return routes.map((route) => serveAdminRoute(route, parts));
}

export type GateParts = TokenServiceParts & {
  accounts: AdminParts['accounts'];
  /** Waits before the answer to a repeated wrong token. */
  wait(ms: number): Promise<unknown>;
};

/** Identifies the holders of admin tokens, and slows wrong ones. */
export function adminGateOf({ accounts, wait, ...parts }: GateParts): AdminGate {
  const wrongTokens = new WrongTokens({
    clock: steadyClock(parts.clock),
    wait,
    record: (network, count) =>
      accounts.record('token-refused', network, {
        before: null,
        after: { wrongTokens: count },
        actor: 'unknown',
      }),
  });
  return { service: new TokenService(parts), wrongTokens };
}

/** Returns all routes under `/admin/v1`. Every route in this list requires an admin token. */
export const adminRoutes = (parts: AdminParts, gate: AdminGate): Route[] =>
  requireAdminToken(gate, operatorRoutes(parts));
