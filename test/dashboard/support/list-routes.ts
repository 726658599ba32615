import type { AdminParts } from '../../../src/console/admin/admin-parts.ts';
import { operatorRoutes } from '../../../src/console/admin/admin-routes.ts';
import { admittedRoles, type RestrictedRoute } from '../../../src/console/admin/restricted-route.ts';
import type { Access } from '../../../src/console/dashboard/dashboard-route.ts';
import { dashboardTable } from '../../../src/console/dashboard/dashboard-routes.ts';

type Named = { method: string; path: string };
export type VisitorRoute = Named & { access: Access };
export type OperatorRoute = Named & { isOpenTo(role: 'owner' | 'operator' | 'read_only'): boolean };

/** Stands for every part, so that the tables can be made without a server. No handler of them is called. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, name) => {
    if (name === Symbol.iterator) return function* () {};
    // Servers whose clock can be moved have one more route.
    return name === 'movableClock' ? undefined : anything;
  },
  apply: () => anything,
});

const inDashboard = (path: string): string => path.replace('/dashboard/v1', '');

/** The rows of the dashboard's own table. The paths begin after `/dashboard/v1`. */
export const visitorRoutes: readonly VisitorRoute[] = dashboardTable.map(({ method, path, access }) => ({
  method,
  path: inDashboard(path),
  access,
}));

/** The rows of the admin API that operators with a session use. */
export const sessionOperatorRoutes: readonly OperatorRoute[] = operatorRoutes(anything as AdminParts).map(
  (route: RestrictedRoute) => ({
    method: route.method,
    path: route.path.replace('/admin/v1', '/operator'),
    isOpenTo: (role) => admittedRoles(route).includes(role),
  }),
);
