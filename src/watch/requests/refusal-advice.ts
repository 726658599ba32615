import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { lookUp } from '../../base/lib/records.ts';

/** The remedy of a refusal, and the page of the dashboard where it is done. */
export type RefusalAdvice = { text: string; page: AdvicePage | null };
export const advicePages = ['/keys', '/budgets', '/billing', '/models', '/organization'] as const;
export type AdvicePage = (typeof advicePages)[number];

const row = (text: string, page: AdvicePage | null = null): RefusalAdvice => ({ text, page });

const wait = row(
  'Wait as long as the header retry-after says; official SDKs do. A larger plan has larger limits.',
  '/billing',
);
const again = row('Nothing was charged. Send the request again; official SDKs do so by themselves.');
const correct = row('Correct the field and send the request again. A repeated request is refused again.');
const newKey = row('Use another key, or create one.', '/keys');
const upgrade = row('Upgrade the plan, or turn pay-as-you-go on and buy credit.', '/billing');
const buy = row('Buy credit, or reload it automatically.', '/billing');
const otherModel = row('Choose another model, or a plan that includes this one.', '/models');
const askOperator = row('Ask the operator of this server.');

const rows: Readonly<Partial<Record<ErrorCode, RefusalAdvice>>> = {
  invalid_json: correct,
  invalid_request: correct,
  context_length_exceeded: row(
    'Shorten the prompt, or choose a model with a larger context window.',
    '/models',
  ),
  content_filter: row('Change the prompt. A repeated request is refused again.'),
  plan_upgrade_required: otherModel,
  payg_required: upgrade,
  input_exceeds_plan: row('Shorten the prompt, or choose a plan with longer prompts.', '/billing'),
  verification_required: row('Verify the email address of the account.', '/organization'),
  payg_batch_not_supported: row('Send the batch with a key that does not use pay-as-you-go.', '/keys'),
  missing_api_key: newKey,
  invalid_api_key: newKey,
  revoked_api_key: newKey,
  allowance_exhausted: upgrade,
  credit_used_up: upgrade,
  token_allowance_exhausted: upgrade,
  paid_credit_required: buy,
  insufficient_paid_credit: buy,
  subscription_required: upgrade,
  key_budget_exhausted: row(
    "Raise the budget or the key's monthly cap that refused, or use another key.",
    '/budgets',
  ),
  account_suspended: askOperator,
  account_closed: askOperator,
  permission_denied: row("Add the model to the key's allowed models, or use another key.", '/keys'),
  not_found: row('Check the address and the id. Ids of other organizations do not exist for this key.'),
  unknown_model: row('Copy the name of a model from the list of models.', '/models'),
  model_unavailable: row('Choose another model.', '/models'),
  method_not_allowed: row('Check the method and the address of the request.'),
  body_too_large: row('Send a smaller body, for example with links to images in place of their data.'),
  request_timeout: row('The body arrived too slowly. Send the request again over a faster connection.'),
  route_not_qualified: row('Leave out what the model cannot do, or choose another model.', '/models'),
  request_unprocessable: correct,
  rate_limit_exceeded: wait,
  concurrency_limit_exceeded: wait,
  tokens_per_minute_exceeded: wait,
  network_rate_limited: wait,
  internal_error: row('Nothing was charged. Send the id of the request to the operator if it happens again.'),
  capacity_unavailable: again,
  upstream_overloaded: again,
  upstream_unavailable: again,
  upstream_timeout: again,
};

/** Returns the advice for a code. `null` means that no advice helps every request with this code. */
export const adviceFor = (code: string): RefusalAdvice | null => lookUp(rows, code) ?? null;
