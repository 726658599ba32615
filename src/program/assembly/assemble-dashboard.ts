import type { AdminDependencies } from '../../api/admin/admin-dependencies.ts';
import { type adminGateOf, operatorRoutes } from '../../api/admin/admin-routes.ts';
import { identifyToken } from '../../api/admin/require-admin-token.ts';
import { dashboardRoutes } from '../../api/dashboard/dashboard-routes.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import type { DashboardWork } from './dashboard-work.ts';

/** Connects the dashboard's API. Its routes for operators are those of the admin API. */
export function assembleDashboard(
  admin: AdminDependencies,
  gate: ReturnType<typeof adminGateOf>,
  work: DashboardWork,
): Route[] {
  const { accounts, readBody, people, ledger, requests, clock } = admin;
  const holderOf = (token: string, exchange: Exchange) => identifyToken(token, exchange, gate);
  return dashboardRoutes(
    { ...people, accounts, ledger, requests, clock, readBody, holderOf, ...work },
    operatorRoutes(admin, gate.desk),
  );
}
