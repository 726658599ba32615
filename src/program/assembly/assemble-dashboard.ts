import type { AdminGate } from '../../console/admin/admin-gate.ts';
import type { AdminParts } from '../../console/admin/admin-parts.ts';
import { operatorRoutes } from '../../console/admin/admin-routes.ts';
import { identifyToken } from '../../console/admin/identify-operator.ts';
import { dashboardRoutes } from '../../console/dashboard/dashboard-routes.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import type { ClientSignIn } from './assemble-client-sign-in.ts';
import type { DashboardWork } from './dashboard-work.ts';

/**
 * Connects the dashboard's API, which uses parts of the admin API. Operators use the same routes as in the
 * admin API.
 */
export function assembleDashboard(
  admin: AdminParts,
  gate: AdminGate,
  { signIn, ...work }: DashboardWork & { signIn: ClientSignIn },
): Route[] {
  const holderOf = (token: string, exchange: Exchange) => identifyToken(token, exchange, gate);
  const clients = { deviceSignIns: signIn.signIns, codeAttempts: signIn.codes };
  return dashboardRoutes({ ...admin, ...admin.people, ...work, ...clients, holderOf }, operatorRoutes(admin));
}
