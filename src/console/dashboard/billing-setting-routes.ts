import { Refusal } from '../../base/errors/refusal.ts';
import type { BillingService } from '../../customers/billing/billing-service.ts';
import { confirmedIn } from '../../customers/billing/confirmed-addresses.ts';
import type { SavedReceiver } from '../../customers/billing/receiver-settings.ts';
import { unlessRefused } from '../routes/unless-refused.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { alertTestView, type ReceiverView, receiverOrder, receiverView } from './receiver-schema.ts';
import { reloadOrder, reloadView } from './reload-schema.ts';
import { viewReload } from './reload-view.ts';

const BILLING = '/dashboard/v1/organizations/{account}/billing';

/** The automatic purchases of an organization, and the receivers of its alerts. */
export const billingSettingRoutes = [
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/auto-reload`, access: 'viewer', answer: reloadView },
    async ({ accountId }, { billing }) => viewReload(billing, await billing.reloads.find(accountId)),
  ),
  dashboardRoute(
    {
      method: 'POST',
      path: `${BILLING}/auto-reload`,
      access: 'owner',
      body: reloadOrder,
      answer: reloadView,
    },
    ({ accountId, visitor, body }, { billing }) =>
      unlessRefused(billing.reloads.save(accountId, body, visitor.email), (saved) =>
        viewReload(billing, saved),
      ),
  ),
  dashboardRoute(
    { method: 'GET', path: `${BILLING}/alerts`, access: 'developer', answer: receiverView },
    async ({ accountId }, { billing }) =>
      viewReceiver(billing, { record: await billing.receivers.find(accountId), secret: null }),
  ),
  dashboardRoute(
    { method: 'POST', path: `${BILLING}/alerts`, access: 'owner', body: receiverOrder, answer: receiverView },
    ({ accountId, visitor, body }, { billing }) =>
      unlessRefused(billing.receivers.save(accountId, body, visitor.email), (saved) =>
        viewReceiver(billing, saved),
      ),
  ),
  dashboardRoute(
    { method: 'POST', path: `${BILLING}/alerts/secret`, access: 'owner', answer: receiverView },
    ({ accountId, visitor }, { billing }) =>
      unlessRefused(billing.receivers.rotateSecret(accountId, visitor.email), (saved) =>
        viewReceiver(billing, saved),
      ),
  ),
  dashboardRoute(
    { method: 'POST', path: `${BILLING}/alerts/test`, access: 'owner', answer: alertTestView },
    async ({ accountId }, { billing }) => {
      const alert = (await billing.alerts.testOrganization(accountId)) ?? noReceiver();
      return unlessRefused(alert, ({ deliveries }) => ({
        data: deliveries.map(({ host, state, error }) => ({ receiver: host, state, error })),
      }));
    },
  ),
];

const noReceiver = (): Refusal =>
  new Refusal('conflict', { message: 'Save a webhook, or confirm an address first.' });

const viewReceiver = ({ mailer }: BillingService, { record, secret }: SavedReceiver): ReceiverView => ({
  addresses: record.body.addresses,
  unconfirmed: record.body.addresses.filter((address) => !confirmedIn(record.body).includes(address)),
  webhook_url: record.body.webhookUrl,
  low_percents: record.body.lowPercents,
  caps: record.body.caps,
  mail: mailer.isReady(),
  secret,
});
