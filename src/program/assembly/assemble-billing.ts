import { AddressConfirmations } from '../../customers/billing/address-confirmations.ts';
import type { BillingDesk } from '../../customers/billing/billing-desk.ts';
import type { BillingParts } from '../../customers/billing/billing-parts.ts';
import { BillingSettings } from '../../customers/billing/billing-settings.ts';
import { BillingWorker } from '../../customers/billing/billing-worker.ts';
import { PlanDesk } from '../../customers/billing/plan-desk.ts';
import { PurchaseDesk } from '../../customers/billing/purchase-desk.ts';
import { ShortfallWatch } from '../../customers/billing/shortfall-watch.ts';
import { StripeClient } from '../../customers/billing/stripe/stripe-client.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import type { Foundation } from './create-foundation.ts';

export type AssembledBilling = { desk: BillingDesk; worker: BillingWorker; shortfalls: ShortfallWatch };

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
    alerts: alerts.desk,
    stripe: new StripeClient(() => holder.current.config.billing.stripe),
    config: () => holder.current.config,
    plans: () => holder.current.plans,
    report: (level, event, fields) => logger[level](event, fields),
  };
  const purchases = new PurchaseDesk(parts);
  const confirmations = new AddressConfirmations({
    store: storage.billing,
    people: storage.people,
    mailer: alerts.mailer,
    clock,
    publicUrl: () => holder.current.config.server.public_url,
    report: (level, event, fields) => logger[level](event, fields),
  });
  const desk = {
    parts,
    purchases,
    plans: new PlanDesk(parts, purchases),
    settings: new BillingSettings(parts, alerts.receivers, confirmations),
    alerts: alerts.desk,
    mailer: alerts.mailer,
  };
  const shortfalls = new ShortfallWatch({
    store: storage.shortfalls,
    accounts,
    clock,
    alerts: alerts.desk,
    report: parts.report,
    mostCredits: () => holder.current.config.limits.shortfall_stop_credits,
  });
  alerts.spending.onShortfall = () => shortfalls.look();
  return { desk, worker: new BillingWorker(parts), shortfalls };
}
