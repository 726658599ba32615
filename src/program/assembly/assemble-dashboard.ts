import type { AdminParts } from '../../console/admin/admin-parts.ts';
import { operatorRoutes } from '../../console/admin/admin-routes.ts';
import { type AdminGate, identifyToken } from '../../console/admin/require-admin-token.ts';
import type { DashboardParts } from '../../console/dashboard/dashboard-parts.ts';
import { dashboardRoutes } from '../../console/dashboard/dashboard-routes.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import type { DashboardWork } from './dashboard-work.ts';

/**
 * Connects the dashboard's API, which uses parts of the admin API. Operators use the same routes as in the
 * admin API.
 */
export function assembleDashboard(
  admin: AdminParts,
  gate: AdminGate,
  work: DashboardWork & Pick<DashboardParts, 'clients'>,
): Route[] {
  const holderOf = (token: string, exchange: Exchange) => identifyToken(token, exchange, gate);
  return dashboardRoutes({ ...admin, ...admin.people, ...work, holderOf }, operatorRoutes(admin));
}
