import { lookUp } from '../../../src/base/lib/records.ts';
export type Advice = { text: string; href?: string; label?: string };

/** The advice on a refusal, by its code. */
const advices: Readonly<Record<string, Advice>> = {
  allowance_exhausted: {
    text: 'Buy credit, upgrade the plan, or wait for the next cycle.',
    href: '/billing',
    label: 'Billing',
  },
  credit_used_up: { text: 'Choose a plan with more credits.', href: '/billing', label: 'Billing' },
  token_allowance_exhausted: {
    text: 'The Free plan counts tokens by day. It starts anew at midnight UTC.',
    href: '/billing',
    label: 'Billing',
  },
  insufficient_paid_credit: {
    text: 'Buy credit, or ask for fewer output tokens.',
    href: '/billing',
    label: 'Billing',
  },
  paid_credit_required: { text: 'Buy credit first.', href: '/billing', label: 'Billing' },
  payg_required: { text: 'Turn on pay-as-you-go in the settings, or choose another model.' },
  plan_upgrade_required: {
    text: 'Upgrade the plan, turn on pay-as-you-go, or choose another model.',
    href: '/billing',
    label: 'Billing',
  },
  input_exceeds_plan: {
    text: 'Shorten the conversation, or upgrade the plan.',
    href: '/billing',
    label: 'Billing',
  },
  key_budget_exhausted: {
    text: 'Requests of this page use the key "Playground". Raise its monthly cap.',
    href: '/keys',
    label: 'Keys',
  },
  permission_denied: {
    text: 'The key "Playground" does not allow this model. Change the models that it allows.',
    href: '/keys',
    label: 'Keys',
  },
  rate_limit_exceeded: { text: 'Wait a moment, and send it again.' },
  concurrency_limit_exceeded: { text: 'Wait for another request to end.' },
  capacity_unavailable: { text: 'All providers of the model are busy. Send it again in a moment.' },
  context_length_exceeded: {
    text: 'Shorten the conversation, or choose a model with a larger context window.',
    href: '/models',
    label: 'Models',
  },
  verification_required: { text: 'Verify your email address first.', href: '/account', label: 'Account' },
  unknown_model: { text: 'Choose a model of the list.', href: '/models', label: 'Models' },
  route_not_qualified: {
    text: 'The model cannot do what the request asks for. Remove that part, or choose another model.',
    href: '/models',
    label: 'Models',
  },
};

export const adviceFor = (code: string): Advice | undefined => lookUp(advices, code);
