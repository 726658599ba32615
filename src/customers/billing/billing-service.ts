import type { AlertService } from '../../watch/alerts/alert-service.ts';
import type { Mailer } from '../../watch/alerts/mailer.ts';
import type { BillingParts } from './billing-parts.ts';
import type { Checkouts } from './checkouts.ts';
import type { PlanService } from './plan-service.ts';
import type { PurchaseService } from './purchase-service.ts';
import type { ReceiverSettings } from './receiver-settings.ts';
import type { ReloadSettings } from './reload-settings.ts';
import type { Statements } from './statements.ts';

/** The services for an organization's plan, its credit and the receivers of its alerts. */
export type BillingService = {
  parts: BillingParts;
  checkouts: Checkouts;
  purchases: PurchaseService;
  plans: PlanService;
  reloads: ReloadSettings;
  receivers: ReceiverSettings;
  statements: Statements;
  alerts: AlertService;
  mailer: Mailer;
};
