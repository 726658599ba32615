import { handleQuote } from '../../api/quote/answer-quote.ts';
import { quotedPaths } from '../../api/quote/read-any-dialect.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { Type } from '../../base/schema/type.ts';
import type { Visitor } from '../../customers/people/visitor.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { handleInference } from '../../inference/gateway/gateway.ts';
import type { Authenticating } from '../../money/auth/authenticator.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { planIncludes, unlockedBy } from '../../settings/catalog/model-access.ts';
import type { Plan } from '../../settings/plans/plan.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { findPlaygroundKey, playgroundKey } from './playground-key.ts';
import type { PlaygroundParts } from './playground-parts.ts';
import { type PlaygroundModel, type PlaygroundOptions, playgroundOptions } from './playground-schema.ts';

const PATH = '/dashboard/v1/organizations/{account}/playground';

/** The answers of the API pass through as they are. */
const answerAsIs = Type.Unknown();

/**
 * A route of the playground. `endpoint` takes the same body, and `route` is its address as the API has it.
 */
const endpointRoute = <const Name extends string>(name: Name, endpoint: string, route = endpoint) =>
  dashboardRoute(
    { method: 'POST', path: `${PATH}/${name}`, access: 'developer', answer: answerAsIs },
    (call, { playground }) => {
      const { dialect } = playground.dialects.find(({ path }) => path === endpoint)!;
      playground.live();
      // Receipts, records and metrics name the endpoint.
      // The path of the record shows that the request is from the playground.
      call.exchange.route = route;
      return withKey(call, playground, (authenticator) =>
        handleInference(call.exchange, dialect, { ...playground.services, authenticator }),
      );
    },
  );

/** The routes of the playground. Requests are charged to a key of the organization and obey its limits. */
export const playgroundRoutes = [
  dashboardRoute(
    { method: 'GET', path: PATH, access: 'developer', answer: playgroundOptions },
    ({ exchange, accountId }, { playground }) => optionsOf(exchange, accountId, playground),
  ),
  endpointRoute('messages', '/v1/messages'),
  endpointRoute('responses', '/v1/responses'),
  endpointRoute('chat', '/v1/chat/completions'),
  endpointRoute('gemini', quotedPaths.generate, '/v1beta/models/{id*}:generateContent'),
  endpointRoute('gemini-stream', quotedPaths.stream, '/v1beta/models/{id*}:streamGenerateContent'),
  dashboardRoute(
    { method: 'POST', path: `${PATH}/quote`, access: 'developer', answer: answerAsIs },
    (call, { playground }) =>
      withKey(call, playground, (authenticator) => {
        const { services, dialects } = playground;
        return handleQuote(call.exchange, dialects, { ...services, authenticator });
      }),
  ),
];

type Call = { exchange: Exchange; accountId: string; visitor: Visitor };

/** Runs a request with the playground's key. */
async function withKey(
  { accountId, visitor }: Call,
  parts: PlaygroundParts,
  run: (authenticator: Authenticating) => Promise<Reply | Refusal>,
): Promise<Reply | Refusal> {
  const key = await playgroundKey(parts, accountId, visitor.email);
  return key instanceof Refusal ? key : run(parts.authenticator.withKey(key.id, visitor.userId));
}

async function optionsOf(
  exchange: Exchange,
  accountId: string,
  parts: PlaygroundParts,
): Promise<PlaygroundOptions | Refusal> {
  const account = await parts.accounts.find(accountId);
  if (account instanceof Refusal) return account;
  const key = await findPlaygroundKey(parts, accountId);
  if (key instanceof Refusal) return key;
  const { plans, catalog, names } = exchange.snapshot;
  const { header } = names;
  const plan = plans[account.plan];
  return {
    base_url: publicUrl(exchange),
    key: key ? { id: key.id, name: key.name ?? '' } : null,
    plan: account.plan,
    headers: {
      request_id: header.requestId,
      error_code: header.errorCode,
      payment_mode: header.paymentMode,
      served_by: header.servedBy,
      queue_ms: header.queueMs,
      losses: header.translationLosses,
      simulated: header.simulated,
    },
    models: catalog.entries
      .filter((entry) => entry.model.kind === 'chat' && isAvailable(entry))
      .map((entry) => modelOf(entry, { plan, plans })),
  };
}

type PlanTable = { plan: Plan; plans: Parameters<typeof planIncludes>[2] };

function modelOf(entry: CatalogEntry, { plan, plans }: PlanTable): PlaygroundModel {
  const { model } = entry;
  return {
    id: model.id,
    display_name: model.displayName,
    owned_by: model.ownedBy,
    context_window: model.contextWindow,
    max_output: model.maxOutput,
    capabilities: { ...model.capabilities },
    reasoning_efforts: [...model.reasoningEfforts],
    included: plan.id === 'payg' || planIncludes(plan, model, plans),
    unlocked_by: unlockedBy(model, plans),
    simulated: isSimulated(entry),
  };
}
