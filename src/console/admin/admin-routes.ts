import type { Route } from '../../edge/http/route.ts';
import type { AdminGate } from './admin-gate.ts';
import type { AdminParts } from './admin-parts.ts';
import { type AdminRoute, serveAdminRoute } from './admin-route.ts';
import { adminTable } from './admin-table.ts';
import { clockRoutes } from './clock-routes.ts';
import { requireAdminToken } from './require-admin-token.ts';
import type { RestrictedRoute } from './restricted-route.ts';

/** The routes for operators, without the check of a token or session. */
export function operatorRoutes(parts: AdminParts): RestrictedRoute[] {
  const routes: readonly AdminRoute[] = parts.movableClock ? [...adminTable, ...clockRoutes] : adminTable;
  return routes.map((route) => serveAdminRoute(route, parts));
}

/** Returns all routes under `/admin/v1`. Every route in this list requires an admin token. */
export const adminRoutes = (parts: AdminParts, gate: AdminGate): Route[] =>
  requireAdminToken(gate, operatorRoutes(parts));
