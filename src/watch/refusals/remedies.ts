import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { RefusalReason } from '../../base/errors/refusal-reason.ts';
import { lookUp } from '../../base/lib/records.ts';
import type { ShortageKind } from '../../money/ledger/hold.ts';
import type { LimitFaultKind } from '../../money/limits/limit-fault.ts';
import type { planFields } from '../../settings/plans/plan-figures.ts';
import type { RefusalGroup } from './refusal-store.ts';

/** The pages where an operator ends refusals. `account` is the page of the account if it is the only one. */
type RemedyPage =
  | 'account'
  | '/operator/budgets'
  | '/operator/catalog'
  | '/operator/providers'
  | '/operator/queue'
  | '/operator/status'
  | '/operator/nodes'
  | '/operator/requests';

/**
 * The remedy of an operator. `setting` is a field of the configuration, or null if no field ends the
 * refusals.
 */
export type Remedy = { text: string; setting: string | null; page: RemedyPage };

const remedy = (text: string, page: RemedyPage, setting: string | null = null): Remedy => ({
  text,
  setting,
  page,
});

const client = remedy(
  'The client must correct its requests. The list of requests shows their messages.',
  '/operator/requests',
);
const credits = remedy('Grant credits, or move the account to a larger plan.', 'account', 'plans.*.credits');
const purchase = remedy('Add purchased credit to the account, or let its owner buy some.', 'account');
const newKey = remedy('The client must send a valid key. Create one if none is left.', 'account');
const perPlan = (what: string, setting: keyof typeof planFields): Remedy =>
  remedy(`Raise ${what} of the plan, or move the account to a larger plan.`, 'account', `plans.*.${setting}`);
const perKey = (what: string): Remedy => remedy(`Raise ${what} of the key.`, 'account');

/** The causes with a remedy of their own. The remedy of another shortage of credit follows from its code. */
type RemediedCause =
  | LimitFaultKind
  | Extract<ShortageKind, 'key-cap-reached' | 'budget-reached'>
  | RefusalReason;

/** The remedies by the limit that refused, or by the resource that was missing. */
const byCause: Readonly<Record<RemediedCause, Remedy>> = {
  requests: perPlan('the requests per minute', 'requests_per_min'),
  'long-requests': perPlan('the requests per five minutes', 'requests_per_5min'),
  network: perPlan('the requests per minute of a client network', 'network_requests_per_min'),
  tokens: perPlan('the tokens per minute', 'tokens_per_min'),
  concurrent: perPlan('the concurrent requests', 'concurrent'),
  reads: perPlan('the requests per minute, which decide the reads,', 'requests_per_min'),
  'key-requests': perKey('the requests per minute'),
  'key-tokens': perKey('the tokens per minute'),
  'key-concurrent': perKey('the concurrent requests'),
  'key-cap-reached': perKey('the monthly cap'),
  'budget-reached': remedy('Raise the budget, or wait until its window ends.', '/operator/budgets'),
  memory: remedy('Give the process more memory, or send fewer large bodies at once.', '/operator/status'),
  queue: remedy(
    'Raise max_concurrent of the provider, or add a route to another one.',
    '/operator/queue',
    'providers[].max_concurrent',
  ),
  overload: remedy('Add a node or a larger machine.', '/operator/nodes', 'server.workers'),
  drained: remedy('End the drain of a provider.', '/operator/providers'),
  store: remedy('Make the store reachable and writable.', '/operator/status'),
  disk: remedy('Free space on the disk of the store.', '/operator/status'),
  'local-resource': remedy('Raise the limit of file descriptors of the process.', '/operator/status'),
  shutdown: remedy('Requests to a node that stops are retried by clients.', '/operator/nodes'),
};

const byCode: Readonly<Partial<Record<ErrorCode, Remedy>>> = {
  allowance_exhausted: credits,
  credit_used_up: credits,
  token_allowance_exhausted: perPlan('the tokens per day', 'tokens_per_day'),
  paid_credit_required: purchase,
  insufficient_paid_credit: purchase,
  subscription_required: remedy('Move the account to a plan.', 'account'),
  payg_required: remedy('Create a key that uses pay-as-you-go, and add purchased credit.', 'account'),
  key_budget_exhausted: perKey('the monthly cap'),
  plan_upgrade_required: remedy(
    'Move the account to a plan that includes the model, or change the plan of the model.',
    'account',
    'catalog.models[].plan',
  ),
  input_exceeds_plan: perPlan('the longest prompt', 'max_prompt_tokens'),
  verification_required: remedy("Confirm the account's address.", 'account'),
  account_suspended: remedy('Activate the account again.', 'account'),
  account_closed: remedy('Activate the account again.', 'account'),
  missing_api_key: newKey,
  invalid_api_key: newKey,
  revoked_api_key: newKey,
  permission_denied: remedy("Add the model to the key's allowed models.", 'account'),
  unknown_model: remedy(
    'Add the model or an alias to the catalog, or let unknown models pass.',
    '/operator/catalog',
    'catalog.models',
  ),
  model_unavailable: remedy('Set up a provider of the model.', '/operator/providers', 'providers'),
  route_not_qualified: remedy(
    'Add a route to a model that has what the requests need.',
    '/operator/catalog',
    'catalog.models[].routes',
  ),
  context_length_exceeded: remedy(
    'The client must shorten its prompts or choose a model with a longer context window.',
    '/operator/catalog',
  ),
  limit_reached: remedy('Raise the number of rows that an organization may have.', 'account', 'limits'),
  capacity_unavailable: remedy(
    'Add a route or slots to the provider of the model.',
    '/operator/queue',
    'providers[].max_concurrent',
  ),
};

/** Returns the remedy of the refusals of a cause. */
export const remedyFor = ({ code, cause }: Pick<RefusalGroup, 'code' | 'cause'>): Remedy =>
  lookUp(byCause, cause) ?? lookUp(byCode, code) ?? client;

/** Returns the address of the page that ends the refusals. */
export function remedyHref(
  { page }: Remedy,
  { code, account }: Pick<RefusalGroup, 'code' | 'account'>,
): string {
  if (page === '/operator/requests') return `${page}?code=${code}${account ? `&account=${account}` : ''}`;
  if (page === '/operator/budgets' && account) return `${page}?account=${account}`;
  if (page !== 'account') return page;
  return account ? `/operator/accounts/${account}` : '/operator/accounts';
}
