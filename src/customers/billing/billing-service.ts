import type { AlertService } from '../../watch/alerts/alert-service.ts';
import type { Mailer } from '../../watch/alerts/mailer.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingSettings } from './billing-settings.ts';
import type { PlanService } from './plan-service.ts';
import type { PurchaseService } from './purchase-service.ts';

/** Everything that an organization does about its plan and its credit. */
export type BillingService = {
  parts: BillingParts;
  purchases: PurchaseService;
  plans: PlanService;
  settings: BillingSettings;
  alerts: Pick<AlertService, 'testOrganization'>;
  mailer: Pick<Mailer, 'isReady'>;
};
