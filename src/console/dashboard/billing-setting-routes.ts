import { Refusal } from '../../base/errors/refusal.ts';
import { confirmedIn } from '../../customers/billing/address-confirmations.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import type { SavedReceiver } from '../../customers/billing/billing-settings.ts';
import {
  alertTestView,
  type ReceiverView,
  receiverOrder,
  receiverView,
  reloadOrder,
  reloadView,
} from './billing-schema.ts';
import { viewReload } from './billing-views.ts';
import { type DashboardRoute, dashboardRoute } from './dashboard-route.ts';

type BillingPath = `/dashboard/v1/${string}`;

/** The automatic purchases of an organization, and the receivers of its alerts. */
export const billingSettingRoutes = (billing: BillingService, path: BillingPath): DashboardRoute[] => [
  dashboardRoute({
    method: 'GET',
    path: `${path}/auto-reload`,
    access: 'viewer',
    answer: reloadView,
    handle: async ({ accountId }) => viewReload(billing, await billing.settings.reload(accountId)),
  }),
  dashboardRoute({
    method: 'POST',
    path: `${path}/auto-reload`,
    access: 'owner',
    body: reloadOrder,
    answer: reloadView,
    async handle({ accountId, visitor, body }) {
      const saved = await billing.settings.saveReload(accountId, body, visitor.email);
      return saved instanceof Refusal ? saved : viewReload(billing, saved);
    },
  }),
  ...receiverRoutes(billing, path),
];

const receiverRoutes = (billing: BillingService, path: BillingPath): DashboardRoute[] => [
  dashboardRoute({
    method: 'GET',
    path: `${path}/alerts`,
    access: 'developer',
    answer: receiverView,
    handle: async ({ accountId }) =>
      viewReceiver(billing, { record: await billing.settings.receiver(accountId), secret: null }),
  }),
  dashboardRoute({
    method: 'POST',
    path: `${path}/alerts`,
    access: 'owner',
    body: receiverOrder,
    answer: receiverView,
    async handle({ accountId, visitor, body }) {
      const saved = await billing.settings.saveReceiver(accountId, body, visitor.email);
      return saved instanceof Refusal ? saved : viewReceiver(billing, saved);
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: `${path}/alerts/secret`,
    access: 'owner',
    answer: receiverView,
    async handle({ accountId, visitor }) {
      const saved = await billing.settings.rotateSecret(accountId, visitor.email);
      return saved instanceof Refusal ? saved : viewReceiver(billing, saved);
    },
  }),
  dashboardRoute({
    method: 'POST',
    path: `${path}/alerts/test`,
    access: 'owner',
    answer: alertTestView,
    async handle({ accountId }) {
      const alert = await billing.alerts.testOrganization(accountId);
      if (!alert) return new Refusal('conflict', { message: 'Save a webhook, or confirm an address first.' });
      if (alert instanceof Refusal) return alert;
      const data = alert.deliveries.map(({ host, state, error }) => ({ receiver: host, state, error }));
      return { data };
    },
  }),
];

const viewReceiver = ({ mailer }: BillingService, { record, secret }: SavedReceiver): ReceiverView => ({
  addresses: record.body.addresses,
  unconfirmed: record.body.addresses.filter((address) => !confirmedIn(record.body).includes(address)),
  webhook_url: record.body.webhookUrl,
  low_percents: record.body.lowPercents,
  caps: record.body.caps,
  mail: mailer.isReady(),
  secret,
});
