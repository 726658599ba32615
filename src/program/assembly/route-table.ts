import { conversationRoutes } from '../../api/conversations/conversation-routes.ts';
import { handleCountInputTokens } from '../../api/count-tokens/handle-count-input-tokens.ts';
import { handleCountTokens } from '../../api/count-tokens/handle-count-tokens.ts';
import { countDescription } from '../../api/descriptions/count-description.ts';
import { inputTokensDescription } from '../../api/descriptions/input-tokens-description.ts';
import { socketDescription } from '../../api/descriptions/socket-description.ts';
import { googleRoutes } from '../../api/google/google-routes.ts';
import { interactionRoutes } from '../../api/google/interaction-routes.ts';
import { modelRoutes } from '../../api/models/model-routes.ts';
import { quoteRoute } from '../../api/quote/quote-route.ts';
import { responseRoutes } from '../../api/responses/response-routes.ts';
import { streamRoute } from '../../api/streams/stream-route.ts';
import { usageRoutes } from '../../api/usage/usage-routes.ts';
import { createAdminGate } from '../../console/admin/admin-gate.ts';
import type { AdminParts } from '../../console/admin/admin-parts.ts';
import { adminRoutes } from '../../console/admin/admin-routes.ts';
import { claudeCodeRoutes } from '../../console/claude-code/claude-code-routes.ts';
import type { DashboardWindows } from '../../console/dashboard/dashboard-windows.ts';
import type { EventStreams } from '../../console/dashboard/event-streams.ts';
import { webhookRoute } from '../../customers/billing/webhook-route.ts';
import { BudgetService } from '../../customers/budgets/budget-service.ts';
import type { RawBodyReader } from '../../edge/http/create-raw-body-reader.ts';
import type { Handler, Route } from '../../edge/http/route.ts';
import type { BackgroundResponses } from '../../inference/background/background-responses.ts';
import type { NamedConversations } from '../../inference/conversation/named-conversations.ts';
import { handleInference } from '../../inference/gateway/handle-inference.ts';
import type { RecordedStreams } from '../../inference/recording/recorded-streams.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Loads } from '../../inference/responses/loads.ts';
import type { ResponsesSockets } from '../../inference/socket/responses-sockets.ts';
import type { KeyUses } from '../../money/accounts/key-uses.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import { createMessagesDialectCodec } from '../../translation/protocols/messages/messages-dialect-codec.ts';
import type { GatewayMetrics } from '../../watch/observability/gateway-metrics.ts';
import { operationsRoutes } from '../../watch/observability/operations-routes.ts';
import type { TelemetryRelay } from '../../watch/telemetry/telemetry-relay.ts';
import type { Batches } from './assemble-batches.ts';
import type { AssembledBilling } from './assemble-billing.ts';
import { assembleClientSignIn, type ClientSignIn } from './assemble-client-sign-in.ts';
import { assembleDashboard } from './assemble-dashboard.ts';
import { createGoogleDialects, googleEndpoints, type PlacedDialect } from './create-dialects.ts';
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
  | 'faults'
  | 'payloads'
  | 'routing'
  | 'learned'
  | 'reload'
  | 'configuration'
  | 'settings'
  | 'readBody'
  | 'reportFaults'
> & {
  /** The SHA-256 of the first admin token, which works without the store. */
  adminTokenHash: string;
  dialects: PlacedDialect[];
  services: Services;
  batches: Batches;
  billing: AssembledBilling;
  authenticator: Authenticator;
  keyUses: KeyUses;
  eventStreams: EventStreams;
  readBytes: RawBodyReader;
  relay: TelemetryRelay;
  metrics: GatewayMetrics;
  storage: Pick<
    Storage,
    | 'store'
    | 'ledger'
    | 'budgets'
    | 'usage'
    | 'prompts'
    | 'clock'
    | 'movableClock'
    | 'conversations'
    | 'background'
    | 'milestones'
    | 'refusals'
    | 'people'
  >;
  loads: Loads;
  named: NamedConversations;
  background: BackgroundResponses;
  streams: RecordedStreams;
  sockets: Pick<ResponsesSockets, 'open'>;
  windows: DashboardWindows;
  isDraining: () => boolean;
  /** The reason why stored credentials cannot be read here. */
  settingsProblem: () => string | undefined;
};

/** Returns every route of the server, without its pages and its documentation. */
export function routeTable(parts: RouteParts): Route[] {
  const { authenticator, batches, dialects, services, loads, metrics } = parts;
  const { store, ledger, milestones, refusals, clock, movableClock } = parts.storage;
  const gate = createAdminGate({
    accounts: parts.accounts,
    store,
    clock,
    firstTokenHash: parts.adminTokenHash,
    wait: Bun.sleep,
  });
  const admin: AdminParts = {
    ...parts,
    ledger,
    budgets: budgetServiceOf(parts),
    milestones,
    refusals,
    keys: store,
    clock,
    movableClock,
    shortfalls: parts.billing.shortfalls,
    stored: store,
    batches: batches.directory,
    tokens: gate.service,
  };
  const signIn = assembleClientSignIn(parts);
  const { background } = parts.storage;
  const { open } = services;
  const responseParts = { authenticator, store, clock, loads, background, canceling: parts.background, open };
  const google = createGoogleDialects();
  const endpoints = [...dialects, ...googleEndpoints(google)];
  return [
    ...callRoutes(parts, google),
    {
      method: 'GET',
      path: '/v1/responses',
      describe: socketDescription,
      handle: (exchange) => parts.sockets.open(exchange),
    },
    quoteRoute(endpoints, services),
    ...batches.routes,
    ...responseRoutes(responseParts),
    ...interactionRoutes({ ...responseParts, streams: parts.streams }),
    streamRoute(authenticator, parts.streams),
    ...conversationRoutes({
      authenticator,
      readBody: parts.readBody,
      store: parts.storage.conversations,
      named: parts.named,
      limits: services.storage,
      clock,
    }),
    ...modelRoutes(authenticator, clock),
    ...usageRoutes({ authenticator, ledger, stored: store, clock }),
    ...operationsRoutes({
      metrics,
      store,
      settingsProblem: parts.settingsProblem,
      isDraining: parts.isDraining,
      fleet: parts.fleet,
      count: (exchange) => parts.windows.countNetwork(exchange),
    }),
    ...clientRoutes(parts, signIn),
    ...adminRoutes(admin, gate),
    ...parts.windows.guard(
      assembleDashboard(admin, gate, { ...dashboardWork({ ...parts, dialects: endpoints }), signIn }),
    ),
    webhookRoute({ inbox: parts.billing.worker.inbox, readBytes: parts.readBytes, signedAt: Date.now }),
  ];
}

type GoogleDialects = ReturnType<typeof createGoogleDialects>;

/** Returns the routes that call models, or count for them. */
const callRoutes = (parts: RouteParts, google: GoogleDialects): Route[] => [
  ...inferenceRoutes(parts),
  ...countRoutes(parts),
  ...geminiRoutes(parts, google),
];

/** Returns the routes that Claude Code calls in addition to the API. */
const clientRoutes = (parts: RouteParts, signIn: ClientSignIn): Route[] =>
  claudeCodeRoutes({
    ...parts,
    ...signIn,
    attempts: parts.people.attempts,
    store: parts.storage.people,
    countNetwork: (exchange) => parts.windows.countNetwork(exchange),
  });

const inferenceRoutes = ({ dialects, services, batches }: RouteParts): Route[] =>
  dialects.flatMap(({ path, newer, dialect, describe }) => {
    const handle: Handler = (exchange) => {
      batches.pace.live();
      return handleInference(exchange, dialect, services);
    };
    const route: Route = { method: 'POST', path, describe, handle };
    return newer === undefined ? [route] : [route, { method: 'POST', path: newer, handle }];
  });

const geminiRoutes = ({ services, batches }: RouteParts, dialects: GoogleDialects): Route[] =>
  googleRoutes({ ...dialects, services, onLive: () => batches.pace.live() });

function countRoutes({ services, dialects }: RouteParts): Route[] {
  const codec = createMessagesDialectCodec();
  // The path is in the list of dialects.
  const { dialect } = dialects.find(({ path }) => path === '/v1/responses')!;
  return [
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      describe: countDescription,
      handle: (exchange) => handleCountTokens(exchange, codec, services),
    },
    {
      method: 'POST',
      path: '/v1/responses/input_tokens',
      describe: inputTokensDescription,
      handle: (exchange) => handleCountInputTokens(exchange, dialect, services),
    },
  ];
}

const budgetServiceOf = ({ storage, accounts, people, authenticator }: RouteParts): BudgetService =>
  new BudgetService({
    store: storage.budgets,
    accounts,
    memberships: people.memberships,
    ledger: storage.ledger,
    clock: storage.clock,
    onChange: (id) => authenticator.forgetAccount(id),
  });
