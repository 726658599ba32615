import type { Clock } from '../../base/lib/clock.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { Config } from '../../settings/config/config-schema.ts';
import type { Plans } from '../../settings/plans/plan.ts';
import type { AlertService } from '../../watch/alerts/alert-service.ts';
import type { BillingStore } from './billing-store.ts';
import type { StripeClient } from './stripe/stripe-client.ts';

/** The services that the files of this room use. */
export type BillingParts = {
  store: BillingStore;
  stripe: StripeClient;
  accounts: Accounts;
  ledger: LedgerStore;
  clock: Clock;
  config: () => Pick<Config, 'billing' | 'purchases'>;
  plans: () => Plans;
  alerts: Pick<AlertService, 'raise'>;
  report(level: 'info' | 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
};

/** The actor of changes that follow a payment, in the audit log. */
export const STRIPE = 'stripe';
