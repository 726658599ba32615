import { AddressConfirmations } from '../../customers/billing/address-confirmations.ts';
import type { BillingParts } from '../../customers/billing/billing-parts.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import { BillingWorker } from '../../customers/billing/billing-worker.ts';
import { Checkouts } from '../../customers/billing/checkouts.ts';
import { PlanService } from '../../customers/billing/plan-service.ts';
import { PurchaseService } from '../../customers/billing/purchase-service.ts';
import { ReceiverSettings } from '../../customers/billing/receiver-settings.ts';
import { ReloadSettings } from '../../customers/billing/reload-settings.ts';
import { ShortfallWatch } from '../../customers/billing/shortfall-watch.ts';
import { Statements } from '../../customers/billing/statements.ts';
import { StripeClient } from '../../customers/billing/stripe/stripe-client.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Foundation } from './create-foundation.ts';

export type AssembledBilling = { service: BillingService; worker: BillingWorker; shortfalls: ShortfallWatch };

/** Connects plans, payments and the alerts of organizations. */
export function assembleBilling(
  { storage, alerts, clock, logger, holder }: Foundation,
  accounts: Accounts,
): AssembledBilling {
  const parts: BillingParts = {
    store: storage.billing,
    ledger: storage.ledger,
    accounts,
    clock,
    alerts: alerts.service,
    stripe: new StripeClient(() => holder.current.config.billing.stripe),
    config: () => holder.current.config,
    plans: () => holder.current.plans,
    report: (level, event, fields) => logger[level](event, fields),
  };
  const checkouts = new Checkouts(parts);
  const purchases = new PurchaseService(parts, checkouts);
  const confirmations = new AddressConfirmations({
    store: storage.billing,
    people: storage.people,
    mailer: alerts.mailer,
    clock,
    publicUrl: () => holder.current.config.server.public_url,
    report: parts.report,
  });
  const service = {
    parts,
    checkouts,
    purchases,
    plans: new PlanService(parts, purchases),
    reloads: new ReloadSettings(parts),
    receivers: new ReceiverSettings({ ...parts, receivers: alerts.receivers, confirmations }),
    statements: new Statements(storage.ledger),
    alerts: alerts.service,
    mailer: alerts.mailer,
  };
  const shortfalls = new ShortfallWatch({
    store: storage.shortfalls,
    accounts,
    clock,
    alerts: alerts.service,
    report: parts.report,
    maxCredits: () => holder.current.config.limits.shortfall_stop_credits,
  });
  storage.ledger.onShortfall(() => shortfalls.look());
  return { service, worker: new BillingWorker(parts), shortfalls };
}
