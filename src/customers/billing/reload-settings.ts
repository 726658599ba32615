import { Refusal } from '../../base/errors/refusal.ts';
import { centsOfUsd, usdOfCents } from '../../money/ledger/cents.ts';
import type { BillingParts } from './billing-parts.ts';
import type { BillingRecord } from './billing-record.ts';
import { changeRecord } from './change-record.ts';
import { noReload } from './no-reload.ts';
import { refuseAmount } from './refuse-amount.ts';
import { withoutStripe } from './stripe-refusals.ts';

export type ReloadOrder = {
  is_on: boolean;
  threshold_credits: number;
  amount_usd: number;
  ceiling_usd_per_month: number;
};

/** The settings of organizations' reloads, which buy credit automatically. */
export class ReloadSettings {
  readonly #parts: BillingParts;

  constructor(parts: BillingParts) {
    this.#parts = parts;
  }

  async find(accountId: string): Promise<BillingRecord<'reload'>> {
    const { store, clock } = this.#parts;
    return (await store.findBilling('reload', accountId)) ?? noReload(accountId, clock.now());
  }

  /** Saves the settings. A reload under way and the amount spent in the month stay as they are. */
  async save(
    accountId: string,
    order: ReloadOrder,
    actor: string,
  ): Promise<BillingRecord<'reload'> | Refusal> {
    const refusal = order.is_on ? this.#refuse(order) : undefined;
    if (refusal) return refusal;
    const { store, clock, accounts } = this.#parts;
    await store.addBilling(noReload(accountId, clock.now()));
    const before = await this.find(accountId);
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
    const change = { before: auditedReload(before), after: order, actor };
    await accounts.record('auto-reload-change', accountId, change);
    return saved ?? before;
  }

  #refuse({ amount_usd: amount, ceiling_usd_per_month: ceiling }: ReloadOrder): Refusal | undefined {
    const { stripe, config } = this.#parts;
    if (!stripe.isReady) return withoutStripe();
    const refusal = refuseAmount(amount, config().purchases);
    if (refusal) return new Refusal('invalid_request', { message: refusal.message, param: 'amount_usd' });
    return ceiling < amount ? lowCeiling() : undefined;
  }
}

const auditedReload = ({ body }: BillingRecord<'reload'>): ReloadOrder => ({
  is_on: body.isOn,
  threshold_credits: body.thresholdCredits,
  amount_usd: usdOfCents(body.amountCents),
  ceiling_usd_per_month: usdOfCents(body.ceilingCents),
});

const lowCeiling = (): Refusal =>
  new Refusal('invalid_request', {
    message: 'ceiling_usd_per_month must be at least amount_usd.',
    param: 'ceiling_usd_per_month',
  });
