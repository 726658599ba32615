import { randomBytes } from 'node:crypto';
import { Refusal } from '../../base/errors/refusal.ts';
import { isInsideHost } from '../../base/lib/host-name.ts';
import { centsOfUsd, usdOfCents } from '../../money/ledger/cents.ts';
import { isReachableAddress } from '../../settings/config/is-reachable-address.ts';
import type { AddressConfirmations, Letter } from './address-confirmations.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord, ReceiverBody } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { noReceiver, type OrganizationReceivers } from './organization-receivers.ts';
import { boundOf } from './purchase-service.ts';
import { noReload } from './reload-settings.ts';
import { withoutStripe } from './stripe-refusals.ts';

export type ReloadOrder = {
  is_on: boolean;
  threshold_credits: number;
  amount_usd: number;
  ceiling_usd_per_month: number;
};

export type ReceiverOrder = {
  addresses: readonly string[];
  webhook_url: string | null;
  low_percents: readonly number[];
  caps: boolean;
};

/** `secret` is returned only when it is new. */
export type SavedReceiver = { record: BillingRecord<'receiver'>; secret: string | null };

/** The settings of an organization: its automatic purchases, and the receivers of its alerts. */
export class BillingSettings {
  readonly #parts: BillingParts;
  readonly #receivers: Pick<OrganizationReceivers, 'refresh'>;
  readonly #confirmations: AddressConfirmations;

  constructor(
    parts: BillingParts,
    receivers: Pick<OrganizationReceivers, 'refresh'>,
    confirmations: AddressConfirmations,
  ) {
    this.#parts = parts;
    this.#receivers = receivers;
    this.#confirmations = confirmations;
  }

  async reload(accountId: string): Promise<BillingRecord<'reload'>> {
    const { store, clock } = this.#parts;
    return (await store.findBilling('reload', accountId)) ?? noReload(accountId, clock.now());
  }

  /** An attempt that is under way and the amount spent in the month stay as they are. */
  async saveReload(
    accountId: string,
    order: ReloadOrder,
    actor: string,
  ): Promise<BillingRecord<'reload'> | Refusal> {
    const { store, stripe, clock, config, accounts } = this.#parts;
    if (order.is_on && !stripe.isReady) return withoutStripe();
    const outside = order.is_on ? boundOf(order.amount_usd, config().purchases) : undefined;
    if (outside) return new Refusal('invalid_request', { message: outside.message, param: 'amount_usd' });
    if (order.is_on && order.ceiling_usd_per_month < order.amount_usd) return lowCeiling();
    await store.addBilling(noReload(accountId, clock.now()));
    const before = await this.reload(accountId);
    const startsAt = order.is_on ? clock.now() : null;
    const saved = await changeRecord({ store, kind: 'reload', id: accountId }, ({ body, dueAt }) => ({
      dueAt: body.attempt ? dueAt : startsAt,
      body: {
        isOn: order.is_on,
        thresholdCredits: order.threshold_credits,
        failures: 0,
        error: null,
        amountCents: centsOfUsd(order.amount_usd),
        ceilingCents: centsOfUsd(order.ceiling_usd_per_month),
      },
    }));
    await accounts.record('auto-reload-change', accountId, {
      before: reloadFacts(before),
      after: order,
      actor,
    });
    return saved!;
  }

  async receiver(accountId: string): Promise<BillingRecord<'receiver'>> {
    const { store, clock } = this.#parts;
    return (await store.findBilling('receiver', accountId)) ?? noReceiver(accountId, clock.now());
  }

  /** A new webhook address gets a new secret, and a new mail address a link that confirms it. */
  async saveReceiver(
    accountId: string,
    order: ReceiverOrder,
    actor: string,
  ): Promise<SavedReceiver | Refusal> {
    const wrong = order.webhook_url === null ? undefined : this.#wrongAddress(order.webhook_url);
    if (wrong) return wrong;
    const wanted = { addresses: order.addresses, owners: await this.#confirmations.ownersOf(accountId) };
    const plan = (body: ReceiverBody) => this.#confirmations.plan(accountId, body, wanted);
    const { letters: expected } = plan((await this.receiver(accountId)).body);
    const flood = await this.#confirmations.refuseFlood(
      accountId,
      expected.map(({ address }) => address),
    );
    if (flood) return flood;
    const fresh = newSecret();
    let letters: readonly Letter[] = [];
    const saved = await this.#save(accountId, actor, (body) => {
      const secret = order.webhook_url === body.webhookUrl ? body.secret : fresh;
      const planned = plan(body);
      letters = planned.letters;
      return {
        ...planned.change,
        webhookUrl: order.webhook_url,
        caps: order.caps,
        lowPercents: [...new Set(order.low_percents)].sort((one, other) => other - one),
        secret: order.webhook_url === null ? null : secret,
      };
    });
    const account = await this.#parts.accounts.find(accountId);
    this.#confirmations.send(letters, account instanceof Refusal ? accountId : account.name);
    return saved;
  }

  /** Confirms the mail address that a link was sent to. */
  async confirmAddress(token: string): Promise<{ address: string } | Refusal> {
    const confirmed = await this.#confirmations.confirm(token);
    if (!(confirmed instanceof Refusal)) await this.#receivers.refresh();
    return confirmed;
  }

  /** Replaces the secret of the webhook. */
  async rotateSecret(accountId: string, actor: string): Promise<SavedReceiver | Refusal> {
    const { body } = await this.receiver(accountId);
    if (body.webhookUrl === null) return new Refusal('conflict', { message: 'There is no webhook.' });
    const fresh = newSecret();
    return this.#save(accountId, actor, () => ({ secret: fresh }));
  }

  async #save(
    accountId: string,
    actor: string,
    change: (body: ReceiverBody) => Partial<ReceiverBody>,
  ): Promise<SavedReceiver> {
    const { store, clock, accounts } = this.#parts;
    await store.addBilling(noReceiver(accountId, clock.now()));
    let before: ReceiverBody | undefined;
    const saved = await changeRecord({ store, kind: 'receiver', id: accountId }, ({ body }) => {
      before = body;
      return { body: change(body) };
    });
    await this.#receivers.refresh();
    await accounts.record('alert-receivers-change', accountId, {
      before: receiverFacts(before!),
      after: receiverFacts(saved!.body),
      actor,
    });
    return { record: saved!, secret: saved!.body.secret === before!.secret ? null : saved!.body.secret };
  }

  #wrongAddress(url: string): Refusal | undefined {
    if (!isReachableAddress(url)) return wrongAddress('an address like https://example.com/alerts');
    const { protocol, hostname } = new URL(url);
    if (this.#parts.config().billing.private_receivers) return undefined;
    if (protocol !== 'https:') return wrongAddress('an https address');
    return isInsideHost(hostname) ? wrongAddress('an address on the public internet') : undefined;
  }
}

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url')}`;

const reloadFacts = ({ body }: BillingRecord<'reload'>): ReloadOrder => ({
  is_on: body.isOn,
  threshold_credits: body.thresholdCredits,
  amount_usd: usdOfCents(body.amountCents),
  ceiling_usd_per_month: usdOfCents(body.ceilingCents),
});

/** The path of a webhook's address can be a secret. */
const receiverFacts = ({ addresses, webhookUrl, lowPercents, caps }: ReceiverBody) => ({
  addresses,
  lowPercents,
  caps,
  webhook: webhookUrl === null ? null : new URL(webhookUrl).origin,
});

const wrongAddress = (expected: string): Refusal =>
  new Refusal('invalid_request', { message: `webhook_url must be ${expected}.`, param: 'webhook_url' });

const lowCeiling = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'ceiling_usd_per_month must be at least amount_usd.',
    param: 'ceiling_usd_per_month',
  });
