import type { AdminDependencies } from '../../api/admin/admin-dependencies.ts';
import { type adminGateOf, operatorRoutes } from '../../api/admin/admin-routes.ts';
import { identifyToken } from '../../api/admin/require-admin-token.ts';
import { dashboardRoutes } from '../../api/dashboard/dashboard-routes.ts';
import { AuthLibrary } from '../../api/people/auth-library.ts';
import { PeopleDesk } from '../../api/people/people-desk.ts';
import type { PeopleStore } from '../../api/people/people-store.ts';
import { StoredVisitors } from '../../api/people/stored-visitors.ts';
import type { Route } from '../../edge/http/route.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';

/** Connects the dashboard's API. Its routes for operators are those of the admin API. */
export function assembleDashboard(
  admin: AdminDependencies,
  gate: ReturnType<typeof adminGateOf>,
  store: PeopleStore,
  keyUses: KeyUses,
): Route[] {
  const { accounts, ledger, clock, readBody } = admin;
  const library = new AuthLibrary({
    store,
    hooks: { deliver: async () => {}, verified: async () => {} },
    secret: () => null,
    issuer: () => 'Tollgate',
  });
  const people = new PeopleDesk({ store, library, accounts });
  const parts = {
    ...{ accounts, ledger, clock, keyUses, people, store, readBody, visitors: new StoredVisitors(store) },
    holderOf: (token: string, exchange: Parameters<Route['handle']>[0]) =>
      identifyToken(token, exchange, gate),
  };
  return dashboardRoutes(parts, operatorRoutes(admin, gate.desk));
}
