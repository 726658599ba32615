import { handleCountTokens } from '../../api/count-tokens/count-tokens.ts';
import { countDescription } from '../../api/descriptions/count-description.ts';
import { modelRoutes } from '../../api/models/model-routes.ts';
import { quoteRoute } from '../../api/quote/answer-quote.ts';
import { responseRoutes } from '../../api/responses/response-routes.ts';
import { usageRoutes } from '../../api/usage/usage-routes.ts';
import type { AdminParts } from '../../console/admin/admin-parts.ts';
import { adminGateOf, adminRoutes } from '../../console/admin/admin-routes.ts';
import type { DashboardWindows } from '../../console/dashboard/dashboard-windows.ts';
import { webhookRoute } from '../../customers/billing/webhook-route.ts';
import type { Route } from '../../edge/http/route.ts';
import { handleInference } from '../../inference/gateway/gateway.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Loads } from '../../inference/responses/loads.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';
import { createMessagesDialectCodec } from '../../translation/protocols/messages/messages-dialect-codec.ts';
import type { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import { operationsRoutes } from '../../watch/observability/operations-routes.ts';
import type { Batches } from './assemble-batches.ts';
import type { AssembledBilling } from './assemble-billing.ts';
import { assembleDashboard } from './assemble-dashboard.ts';
import type { createDialects } from './create-protocols.ts';
import { dashboardWork } from './dashboard-work.ts';
import type { Storage } from './storage.ts';

export type RouteParts = Pick<
  AdminParts,
  | 'accounts'
  | 'examine'
  | 'fleet'
  | 'nodes'
  | 'activity'
  | 'alerts'
  | 'capacity'
  | 'people'
  | 'mail'
  | 'requests'
  | 'traffic'
  | 'content'
  | 'routing'
  | 'learned'
  | 'reload'
  | 'configuration'
  | 'readBody'
  | 'reportFaults'
> & {
  /** The SHA-256 of the first admin token, which works without the store. */
  adminTokenHash: string;
  dialects: ReturnType<typeof createDialects>;
  services: Services;
  batches: Batches;
  billing: AssembledBilling;
  authenticator: Authenticator;
  keyUses: KeyUses;
  metrics: GatewayMetrics;
  storage: Pick<Storage, 'store' | 'ledger' | 'usage' | 'refusals' | 'clock' | 'movableClock'>;
  loads: Loads;
  windows: DashboardWindows;
  isDraining: () => boolean;
};

/** Every route of the server, without its pages and its documentation. */
export function routeTable(parts: RouteParts): Route[] {
  const { authenticator, batches, dialects, services, loads, metrics } = parts;
  const { store, ledger, refusals, clock, movableClock } = parts.storage;
  const gate = adminGateOf({
    accounts: parts.accounts,
    store,
    clock,
    firstTokenHash: parts.adminTokenHash,
    wait: Bun.sleep,
  });
  const admin: AdminParts = {
    ...parts,
    ledger,
    refusals,
    keys: store,
    clock,
    movableClock,
    shortfalls: parts.billing.shortfalls,
    stored: store,
    batches: batches.directory,
    tokens: gate.service,
  };
  return [
    ...inferenceRoutes(parts),
    countRoute(parts),
    quoteRoute(dialects, services),
    ...batches.routes,
    ...responseRoutes({ authenticator, store, clock, loads }),
    ...modelRoutes(authenticator, clock),
    ...usageRoutes({ authenticator, ledger, stored: store, clock }),
    ...operationsRoutes({
      metrics,
      store,
      isDraining: parts.isDraining,
      fleet: parts.fleet,
      count: (exchange) => parts.windows.countNetwork(exchange),
    }),
    ...adminRoutes(admin, gate),
    ...parts.windows.guard(assembleDashboard(admin, gate, dashboardWork(parts))),
    webhookRoute({ inbox: parts.billing.worker.inbox, readBody: parts.readBody, signedAt: Date.now }),
  ];
}

const inferenceRoutes = ({ dialects, services, batches }: RouteParts): Route[] =>
  dialects.map(({ path, dialect, describe }) => ({
    method: 'POST',
    path,
    describe,
    handle: (exchange) => {
      batches.pace.live();
      return handleInference(exchange, dialect, services);
    },
  }));

function countRoute({ services }: RouteParts): Route {
  const codec = createMessagesDialectCodec();
  return {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    describe: countDescription,
    handle: (exchange) => handleCountTokens(exchange, codec, services),
  };
}
