import type { AlertDesk } from '../../watch/alerts/alert-desk.ts';
import type { Mailer } from '../../watch/alerts/mailer.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { PlanDesk } from './plan-desk.ts';
import type { PurchaseDesk } from './purchase-desk.ts';

/** Everything that an organization does about its plan and its credit. */
export type BillingDesk = {
  parts: BillingParts;
  purchases: PurchaseDesk;
  plans: PlanDesk;
  settings: BillingSettings;
  alerts: Pick<AlertDesk, 'testOrganization'>;
  mailer: Pick<Mailer, 'isReady'>;
};
