import type { ErrorCode } from '../../../src/base/errors/catalogue.ts';
import { lookUp } from '../../../src/base/lib/records.ts';
import type { PagePath } from '../../../src/console/site/page-paths.ts';

/** A remedy of a refusal. `page` is where it is done. */
export type Advice = { text: string; page?: PagePath; linkText?: string };

const billing = (text: string): Advice => ({ text, page: '/billing', linkText: 'Billing' });
const keys = (text: string): Advice => ({ text, page: '/keys', linkText: 'Keys' });
const models = (text: string): Advice => ({ text, page: '/models', linkText: 'Models' });
const account = (text: string): Advice => ({ text, page: '/account', linkText: 'Account' });

/** The advice on a refusal, by its code. */
const advices: Readonly<Partial<Record<ErrorCode, Advice>>> = {
  allowance_exhausted: billing('Buy credit, upgrade the plan, or wait for the next cycle.'),
  credit_used_up: billing('Choose a plan with more credits.'),
  token_allowance_exhausted: billing('The Free plan counts tokens by day. It starts anew at midnight UTC.'),
  insufficient_paid_credit: billing('Buy credit, or ask for fewer output tokens.'),
  paid_credit_required: billing('Buy credit first.'),
  payg_required: { text: 'Turn on pay-as-you-go in the settings, or choose another model.' },
  plan_upgrade_required: billing('Upgrade the plan, turn on pay-as-you-go, or choose another model.'),
  input_exceeds_plan: billing('Shorten the conversation, or upgrade the plan.'),
  key_budget_exhausted: keys('Requests of this page use the key "Playground". Raise its monthly cap.'),
  permission_denied: keys(
    'The key "Playground" does not allow this model. Change the models that it allows.',
  ),
  rate_limit_exceeded: { text: 'Wait a moment, and send it again.' },
  concurrency_limit_exceeded: { text: 'Wait for another request to end.' },
  capacity_unavailable: { text: 'All providers of the model are busy. Send it again in a moment.' },
  context_length_exceeded: models(
    'Shorten the conversation, or choose a model with a larger context window.',
  ),
  verification_required: account('Verify your email address first.'),
  unknown_model: models('Choose a model of the list.'),
  route_not_qualified: models(
    'The model cannot do what the request asks for. Remove that part, or choose another model.',
  ),
};

/** Returns the advice on a refusal with a code, if any helps. */
export const adviceFor = (code: string): Advice | undefined => lookUp(advices, code);
