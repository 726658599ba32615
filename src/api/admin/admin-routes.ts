import type { Route } from '../../edge/http/route.ts';
import { accountRoutes } from './account-routes.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { alertRoutes } from './alert-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { checkQueries } from './check-queries.ts';
import { creditRoutes } from './credit-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { repairRoutes } from './repair-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { requireAdminToken } from './require-admin-token.ts';

/** All routes under `/admin/v1`. Every route in this list requires the admin token. */
export const adminRoutes = (dependencies: AdminDependencies): Route[] =>
  requireAdminToken(
    dependencies.adminToken,
    checkQueries([
      ...accountRoutes(dependencies),
      ...keyRoutes(dependencies),
      ...creditRoutes(dependencies),
      ...ledgerRoutes(dependencies),
      ...repairRoutes(dependencies),
      ...archiveRoutes(dependencies),
      ...providerRoutes(dependencies),
      ...batchRoutes(dependencies),
      ...requestRoutes(dependencies),
      ...catalogRoutes,
      ...alertRoutes(dependencies),
      ...operationRoutes(dependencies),
    ]),
  );
