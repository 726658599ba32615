import { Refusal } from '../../base/errors/refusal.ts';
import { confirmedAddresses } from '../../customers/billing/confirmed-addresses.ts';
import type { SavedReceiver } from '../../customers/billing/receiver-settings.ts';
import { accepted } from '../routes/accepted.ts';
import type { WithBody } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { GuestCall, OrganizationCall } from './dashboard-route.ts';
import type {
  AlertTestView,
  ConfirmedAddressView,
  confirmAddressOrder,
  ReceiverView,
  receiverOrder,
} from './receiver-schema.ts';

/** Shows the receivers of an organization's alerts, without the secret of the webhook. */
export async function showReceiver(
  { accountId }: OrganizationCall,
  parts: DashboardParts,
): Promise<ReceiverView> {
  return viewReceiver(parts, { record: await parts.billing.receivers.find(accountId), secret: null });
}

/** Sets the receivers of an organization's alerts. */
export async function saveReceiver(
  { accountId, visitor, body }: OrganizationCall<WithBody<typeof receiverOrder>>,
  parts: DashboardParts,
): Promise<ReceiverView> {
  const saved = await parts.billing.receivers.save(accountId, body, visitor.email);
  return viewReceiver(parts, accepted(saved));
}

/** Gives the webhook of an organization a new secret. */
export async function rotateReceiverSecret(
  { accountId, visitor }: OrganizationCall,
  parts: DashboardParts,
): Promise<ReceiverView> {
  const saved = await parts.billing.receivers.rotateSecret(accountId, visitor.email);
  return viewReceiver(parts, accepted(saved));
}

/** Sends a test alert to the receivers, and shows the first attempt at each of them. */
export async function testReceiver(
  { accountId }: OrganizationCall,
  { billing }: DashboardParts,
): Promise<AlertTestView> {
  const { deliveries } = accepted((await billing.alerts.testOrganization(accountId)) ?? noReceiver());
  return { data: deliveries.map(({ host, state, error }) => ({ receiver: host, state, error })) };
}

/** Confirms the mail address of alerts. The link is enough, since its reader may have no account. */
export async function confirmAddress(
  { body: { token } }: GuestCall<WithBody<typeof confirmAddressOrder>>,
  { billing }: DashboardParts,
): Promise<ConfirmedAddressView> {
  return accepted(await billing.receivers.confirmAddress(token));
}

const noReceiver = (): Refusal =>
  new Refusal('conflict', { message: 'Save a webhook, or confirm an address first.' });

function viewReceiver(
  { billing: { mailer } }: DashboardParts,
  { record: { body }, secret }: SavedReceiver,
): ReceiverView {
  const confirmed = confirmedAddresses(body);
  return {
    addresses: body.addresses,
    unconfirmed: body.addresses.filter((address) => !confirmed.includes(address)),
    webhook_url: body.webhookUrl,
    low_percents: body.lowPercents,
    caps: body.caps,
    mail: mailer.isReady(),
    secret,
  };
}
