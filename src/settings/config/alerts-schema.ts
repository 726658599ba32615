import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, row, section } from './schema-parts.ts';

/** The events that webhooks can be sent. */
export const alertEvents = [
  'cap_80',
  'cap_100',
  'budget_warning',
  'budget_exhausted',
  'credits_low',
  'provider_down',
  'provider_key_refused',
  'credential_failing',
  'ledger_fault',
  'disk_low',
  'unpriced_usage',
  'price_unconfirmed',
  'payment_reversed',
  'payment_problem',
  'auto_reload_failed',
  'shortfall_stop',
] as const;

export type AlertEvent = (typeof alertEvents)[number];

const WebhookSchema = row(
  {
    url: Type.String({
      ...namePatterns.webhookAddress,
      description:
        'Address of the receiver. Alerts are sent to it with POST. Private and loopback addresses are allowed.',
    }),
    secret: Type.String({
      minLength: 1,
      ...namePatterns.secret,
      description: 'Key of the signature in `x-svc-signature`.',
    }),
    events: nullable(Type.Array(choice(alertEvents), { minItems: 1 }), {
      description: 'Events that are sent. `null` means all.',
    }),
  },
  { description: 'A receiver of alerts.' },
);

/** A receiver of alerts, as configured. */
export type WebhookRow = DeepReadonly<Static<typeof WebhookSchema>>;

export const AlertsSchema = section(
  {
    webhooks: Type.Array(WebhookSchema, {
      default: [],
      maxItems: 16,
      description: 'Receivers of alerts.',
    }),
    credits_low_share: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.1,
      description:
        'Share of the credits of a cycle, or of the balance after the latest purchase. `credits_low` is sent when at most this much is left.',
    }),
  },
  { description: 'Alerts by webhook.' },
);
