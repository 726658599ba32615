import type { Route } from '../../edge/http/route.ts';
import type { RestrictedRoute } from '../admin/restricted-route.ts';
import { batchRoutes } from './batch-routes.ts';
import { billingRoutes } from './billing-routes.ts';
import { billingSettingRoutes } from './billing-setting-routes.ts';
import { budgetRoutes } from './budget-routes.ts';
import { confirmAddressRoute } from './confirm-address-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { DashboardRoute } from './dashboard-route.ts';
import { deviceRoute } from './device-route.ts';
import { eventRoutes } from './event-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { playgroundRoutes } from './playground-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { promptRoutes } from './prompt-routes.ts';
import { providerSignInRoutes } from './provider-sign-in-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { requireOperatorSession } from './require-operator-session.ts';
import { responseRoutes } from './response-routes.ts';
import { serveDashboardRoute } from './serve-dashboard-route.ts';
import { sessionRoutes } from './session-routes.ts';
import { snippetRoutes } from './snippet-routes.ts';
import { statementRoutes } from './statement-routes.ts';
import { trafficRoutes } from './traffic-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { welcomeRoutes } from './welcome-routes.ts';

/** The routes for visitors, each with the access that it needs. */
export const dashboardTable: readonly DashboardRoute[] = [
  ...sessionRoutes,
  ...linkRoutes,
  ...providerSignInRoutes,
  ...profileRoutes,
  ...organizationRoutes,
  ...welcomeRoutes,
  ...playgroundRoutes,
  ...promptRoutes,
  ...batchRoutes,
  ...responseRoutes,
  ...billingRoutes,
  ...billingSettingRoutes,
  confirmAddressRoute,
  ...statementRoutes,
  ...usageRoutes,
  ...trafficRoutes,
  ...requestRoutes,
  ...keyRoutes,
  ...budgetRoutes,
  ...modelRoutes,
  ...snippetRoutes,
  ...eventRoutes,
  deviceRoute,
];

/** Returns every route of the dashboard's API. `forOperators` has the routes of the admin API. */
export const dashboardRoutes = (parts: DashboardParts, forOperators: readonly RestrictedRoute[]): Route[] => [
  ...dashboardTable.map((route) => serveDashboardRoute(route, parts)),
  ...requireOperatorSession(parts, forOperators),
];
