import { randomBytes } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import { isPrivateHost } from '../../base/lib/private-host.ts';
import { hasUsableHost } from '../../settings/config/has-usable-host.ts';
import type { AddressConfirmations, Letter } from './address-confirmations.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, ReceiverBody } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { noReceiver } from './no-receiver.ts';
import type { OrganizationReceivers } from './organization-receivers.ts';

export type ReceiverOrder = {
  addresses: readonly string[];
  webhook_url: string | null;
  low_percents: readonly number[];
  caps: boolean;
};

/** `secret` is returned only when it is new. */
export type SavedReceiver = { record: BillingRecord<'receiver'>; secret: string | null };

export type ReceiverSettingsParts = Pick<BillingParts, 'store' | 'clock' | 'accounts' | 'config'> & {
  receivers: OrganizationReceivers;
  confirmations: AddressConfirmations;
};

/** The settings of the receivers of organizations' alerts. */
export class ReceiverSettings {
  readonly #parts: ReceiverSettingsParts;

  constructor(parts: ReceiverSettingsParts) {
    this.#parts = parts;
  }

  async find(accountId: string): Promise<BillingRecord<'receiver'>> {
    const { store, clock } = this.#parts;
    return (await store.findBilling('receiver', accountId)) ?? noReceiver(accountId, clock.now());
  }

  /** Saves the receivers. A new webhook gets a new secret, and a new mail address a link to confirm it. */
  async save(accountId: string, order: ReceiverOrder, actor: string): Promise<SavedReceiver | Refusal> {
    const refusal = order.webhook_url === null ? undefined : this.#refuseAddress(order.webhook_url);
    if (refusal) return refusal;
    const { confirmations, accounts } = this.#parts;
    const owners = await confirmations.ownerAddresses(accountId);
    const plan = (body: ReceiverBody) =>
      confirmations.plan(accountId, body, { addresses: order.addresses, owners });
    const newAddresses = plan((await this.find(accountId)).body).letters.map(({ address }) => address);
    const flood = await confirmations.refuseFlood(accountId, newAddresses);
    if (flood) return flood;
    const newSecret = createSecret();
    let letters: readonly Letter[] = [];
    const saved = await this.#change(accountId, actor, (body) => {
      const secret = order.webhook_url === body.webhookUrl ? body.secret : newSecret;
      const { change, letters: newLetters } = plan(body);
      letters = newLetters;
      return {
        ...change,
        webhookUrl: order.webhook_url,
        caps: order.caps,
        lowPercents: [...new Set(order.low_percents)].sort((left, right) => right - left),
        secret: order.webhook_url === null ? null : secret,
      };
    });
    const account = await accounts.find(accountId);
    confirmations.send(letters, account instanceof Refusal ? accountId : account.name);
    return saved;
  }

  /** Confirms the mail address that a link was sent to. */
  async confirmAddress(token: string): Promise<{ address: string } | Refusal> {
    const confirmed = await this.#parts.confirmations.confirm(token);
    if (!(confirmed instanceof Refusal)) await this.#parts.receivers.refresh();
    return confirmed;
  }

  /** Replaces the secret of the webhook. */
  async rotateSecret(accountId: string, actor: string): Promise<SavedReceiver | Refusal> {
    const { body } = await this.find(accountId);
    if (body.webhookUrl === null) return new Refusal('conflict', { message: 'There is no webhook.' });
    const secret = createSecret();
    return this.#change(accountId, actor, () => ({ secret }));
  }

  async #change(
    accountId: string,
    actor: string,
    change: (body: ReceiverBody) => Partial<ReceiverBody>,
  ): Promise<SavedReceiver> {
    const { store, clock, accounts } = this.#parts;
    await store.addBilling(noReceiver(accountId, clock.now()));
    let before: ReceiverBody | undefined;
    const record = await changeRecord({ store, kind: 'receiver', id: accountId }, ({ body }) => {
      before = body;
      return { body: change(body) };
    });
    if (!record || !before) throw new Error(`The receivers of the account ${accountId} are not stored.`);
    await this.#parts.receivers.refresh();
    await accounts.record('alert-receivers-change', accountId, {
      before: auditedReceiver(before),
      after: auditedReceiver(record.body),
      actor,
    });
    return { record, secret: record.body.secret === before.secret ? null : record.body.secret };
  }

  #refuseAddress(url: string): Refusal | undefined {
    if (!hasUsableHost(url)) return wrongAddress('an address like https://example.com/alerts');
    const { protocol, hostname } = new URL(url);
    if (this.#parts.config().billing.private_receivers) return undefined;
    if (protocol !== 'https:') return wrongAddress('an https address');
    return isPrivateHost(hostname) ? wrongAddress('an address on the public internet') : undefined;
  }
}

const createSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`;

/** The path of a webhook's address can be a secret. */
const auditedReceiver = ({ addresses, webhookUrl, lowPercents, caps }: ReceiverBody) => ({
  addresses,
  lowPercents,
  caps,
  webhook: webhookUrl === null ? null : new URL(webhookUrl).origin,
});

const wrongAddress = (expected: string): Refusal =>
  new Refusal('invalid_request', { message: `webhook_url must be ${expected}.`, param: 'webhook_url' });
