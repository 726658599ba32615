import { steadyClock } from '../../base/lib/clock.ts';
import { TokenService } from '../../customers/operators/token-service.ts';
import { WrongTokens } from '../../customers/operators/wrong-tokens.ts';
import type { Route } from '../../edge/http/route.ts';
import { accountRoutes } from './account-routes.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { alertRoutes } from './alert-routes.ts';
import { archiveRoutes } from './archive-routes.ts';
import { batchRoutes } from './batch-routes.ts';
import { catalogRoutes } from './catalog-routes.ts';
import { checkQueries } from './check-queries.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { creditRoutes } from './credit-routes.ts';
import { doctorRoutes } from './doctor-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { ledgerRoutes } from './ledger-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { nodeRoutes } from './node-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { payloadRoutes } from './payload-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { providerRoutes } from './provider-routes.ts';
import { queueRoutes } from './queue-routes.ts';
import { refusalRoutes } from './refusal-routes.ts';
import { repairRoutes } from './repair-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { type AdminGate, type AdminRoute, requireAdminToken } from './require-admin-token.ts';
import { tokenRoutes } from './token-routes.ts';

/** The routes for operators, without the check of a token or session. */
export function operatorRoutes(dependencies: AdminDependencies, service: TokenService): AdminRoute[] {
  return checkQueries<AdminRoute>([
    ...accountRoutes(dependencies),
    ...keyRoutes(dependencies),
    ...creditRoutes(dependencies),
    ...ledgerRoutes(dependencies),
    ...repairRoutes(dependencies),
    ...archiveRoutes(dependencies),
    ...providerRoutes(dependencies),
    ...queueRoutes(dependencies),
    ...refusalRoutes(dependencies),
    ...batchRoutes(dependencies),
    ...requestRoutes(dependencies),
    ...payloadRoutes(dependencies),
    ...catalogRoutes(dependencies),
    ...alertRoutes(dependencies),
    ...operationRoutes(dependencies),
    ...doctorRoutes(dependencies),
    ...tokenRoutes(service, dependencies),
    ...configurationRoutes(dependencies),
    ...nodeRoutes(dependencies),
    ...peopleRoutes(dependencies),
    ...memberRoutes(dependencies),
    ...mailRoutes(dependencies),
  ]);
}

/** Identifies the holders of admin tokens, and slows wrong ones. */
export function adminGateOf({
  accounts,
  adminTokenHash,
  clock,
  tokens,
  wait,
}: Pick<AdminDependencies, 'accounts' | 'adminTokenHash' | 'clock' | 'tokens' | 'wait'>): AdminGate {
  const service = new TokenService({ store: tokens, clock, firstTokenHash: adminTokenHash });
  const wrongTokens = new WrongTokens({
    clock: steadyClock(clock),
    wait,
    record: (network, count) =>
      accounts.record('token-refused', network, {
        before: null,
        after: { wrongTokens: count },
        actor: 'unknown',
      }),
  });
  return { service, wrongTokens };
}

/** All routes under `/admin/v1`. Every route in this list requires an admin token. */
export const adminRoutes = (dependencies: AdminDependencies, gate = adminGateOf(dependencies)): Route[] =>
  requireAdminToken(gate, operatorRoutes(dependencies, gate.service));
