import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, row, section } from './schema-parts.ts';

const secret = (description: string) => Type.String({ minLength: 1, ...namePatterns.secret, description });
const price = (plan: string) =>
  nullable(
    Type.String({ pattern: '^price_[A-Za-z0-9_]+$', expected: "the id of a price like 'price_1Abc'" }),
    {
      description: `Id of the monthly price of ${plan} at Stripe. \`null\` means that the plan cannot be bought.`,
    },
  );

/** The plans that a subscription can pay for. */
export const subscribedPlans = ['starter', 'pro', 'max', 'scale'] as const;
export type SubscribedPlan = (typeof subscribedPlans)[number];

const StripeSchema = row(
  {
    secret_key: secret('Secret key of the Stripe account, or a restricted key.'),
    webhook_secrets: Type.Array(secret('Signing secret.'), {
      minItems: 1,
      maxItems: 8,
      description: 'Signing secrets of the webhook. Several are valid at the same time during a rotation.',
    }),
    webhook_tolerance_s: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'Largest age of a signed webhook message, in seconds.',
    }),
    prices: section(
      { starter: price('Starter'), pro: price('Pro'), max: price('Max'), scale: price('Scale') },
      { description: 'Prices of the plans.' },
    ),
    api_base: Type.String({
      ...namePatterns.webAddress,
      default: 'https://api.stripe.com',
      description: 'Address of the Stripe API. Tests replace it.',
    }),
  },
  { description: 'The Stripe account that receives payments.' },
);

/** The Stripe account, as configured. */
export type StripeSettings = DeepReadonly<Static<typeof StripeSchema>>;

export const BillingSchema = section(
  {
    stripe: nullable(StripeSchema, {
      description: 'Payments through Stripe. `null` means that operators grant credit and change plans.',
    }),
    grace_days: Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 7,
      description: 'Days for which a plan continues after a failed renewal.',
    }),
    after_grace: choice(['downgrade', 'suspend'], {
      default: 'downgrade',
      description: 'What happens after the grace: a change to Free, or the suspension of the account.',
    }),
    private_receivers: Type.Boolean({
      default: false,
      description: 'Allow organizations to send their alerts to private and loopback addresses.',
    }),
  },
  { description: 'Payments, and alerts of organizations.' },
);
