import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import { faultCount } from '../../money/ledger/fault-count.ts';
import type { Quarantine } from '../../money/ledger/ledger-care.ts';
import type { VerifiedLedger } from '../../money/ledger/verify-ledger.ts';
import type { PriceConfirmation } from '../../settings/catalog/price-confirmations.ts';
import type { Occasion } from './alert.ts';
import type { AlertRaiser } from './alert-service.ts';
import { QUIET_MS } from './provider-alerts.ts';
import type { UnbilledExcess } from './unbilled-excess.ts';

/** The most faults that one alert lists. */
const MAX_FAULTS = 10;

type FaultAlertParts = {
  service: Pick<AlertRaiser, 'raise'>;
  now(): number;
  /**
   * The name of this process among several that share the store. The same fault on the disk of another node
   * is another occasion. Undefined if the process has the store for itself.
   */
  node?: string | undefined;
};

/**
 * Reports faults of the ledger, low disk space and usage that has no right price. Each condition is reported
 * once in a while.
 */
export class FaultAlerts {
  readonly #service: FaultAlertParts['service'];
  readonly #now: () => number;
  readonly #node: string | undefined;

  constructor({ service, now, node }: FaultAlertParts) {
    this.#service = service;
    this.#now = now;
    this.#node = node;
  }

  /** Reports an account in quarantine, once a day. */
  reportQuarantine({ accountId, reason }: Quarantine): void {
    this.#service.raise(this.#once(`ledger_fault ${accountId}`, DAY_MS), () => ({
      event: 'ledger_fault',
      message: `The account ${accountId} is in quarantine and not served. Its ledger has a fault: ${reason} See \`tollgate ledger inspect ${accountId}\`.`,
      data: { account_id: accountId, reason },
    }));
  }

  /** Reports the faults that a verification has found, once an hour. */
  reportVerification(verified: Pick<VerifiedLedger, 'faults' | 'isComplete'>): void {
    const { faults } = verified;
    if (faults.length === 0) return;
    const listed = faults.slice(0, MAX_FAULTS);
    this.#service.raise(this.#once('ledger_fault verification', HOUR_MS), () => ({
      event: 'ledger_fault',
      message: `The verification of the ledger has found ${faultCount(verified)}. See \`tollgate ledger verify\`.`,
      data: {
        count: faults.length,
        faults: listed.map(({ accountId, what }) => ({ account_id: accountId, what })),
      },
    }));
  }

  /** Reports settlements or holds of an earlier process that cannot be read. */
  reportDamage(what: 'spool' | 'holds', count: number): void {
    this.#service.raise(this.#onceHere(`ledger_fault ${what}`, DAY_MS), () => ({
      event: 'ledger_fault',
      message:
        what === 'spool'
          ? `Lines of the file of spooled settlements are damaged and not billed: ${count}.`
          : `Holds of an earlier process are damaged and not billed: ${count}. See \`tollgate ledger verify\`.`,
      data: { damaged: what, count, ...this.#here() },
    }));
  }

  reportLowDisk(facts: Readonly<Record<string, unknown>>): void {
    this.#service.raise(this.#onceHere('disk_low', QUIET_MS), () => ({
      event: 'disk_low',
      message: `The disk of the data directory has ${facts.free_mb} MB left, and store.min_free_mb is ${facts.min_free_mb} MB. The gateway stores no new responses or batches.`,
      data: { ...facts, ...this.#here() },
    }));
  }

  /**
   * Reports an upstream that reports more tokens than a request can use, once a day for each of its models.
   */
  reportImplausibleUsage({ provider, model, requestId, reported, billed }: UnbilledExcess): void {
    this.#service.raise(this.#once(`unpriced_usage ${provider} ${model}`, DAY_MS), () => ({
      event: 'unpriced_usage',
      message: `The provider ${provider} has reported more tokens for ${model} than the request can use. The excess is not billed.`,
      data: {
        reason: 'implausible_usage',
        provider,
        model,
        request_id: requestId,
        reported,
        billed,
      },
    }));
  }

  /**
   * Reports a request that reached a provider with a member or a hosted tool without a price, once a day for
   * each model.
   */
  reportUnpricedRequest(model: string, extra: string): void {
    this.#service.raise(this.#once(`unpriced_usage ${model} ${extra}`, DAY_MS), () => ({
      event: 'unpriced_usage',
      message: `A request for ${model} was sent with ${extra}, which has no price. The provider's charge for it is not billed to any account.`,
      data: { reason: 'unpriced_request', model, extra },
    }));
  }

  /** Reports an upstream's usage report with a dimension that has no price, once a day for each model. */
  reportUnpricedUsage(model: string, dimension: string): void {
    this.#service.raise(this.#once(`unpriced_usage report ${model} ${dimension}`, DAY_MS), () => ({
      event: 'unpriced_usage',
      message: `The upstream has reported ${dimension} for ${model}, which has no price. Tokens are billed at the price of input or output, and nothing else of it is billed.`,
      data: { reason: 'unpriced_usage', model, dimension },
    }));
  }

  /** Reports a model in use whose price is not confirmed, once per calendar month. */
  reportUnconfirmedPrice(model: string, rows: readonly PriceConfirmation[]): void {
    const now = new Date(this.#now());
    const until = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    this.#service.raise({ name: `price_unconfirmed ${model}`, until }, () => ({
      event: 'price_unconfirmed',
      message: `The model ${model} is in use, and its price has not been confirmed for 90 days. Compare it with the vendor's price. \`tollgate catalog check\` lists such prices.`,
      data: { model, rows: rows.map(({ row, at }) => ({ row, confirmed_at: at })) },
    }));
  }

  /** Returns an occasion of this node, which is reported again after a time. */
  #onceHere(name: string, forMs: number): Occasion {
    return this.#once(this.#node === undefined ? name : `${name} ${this.#node}`, forMs);
  }

  /** Returns an occasion of all nodes, which is reported again after a time. */
  #once(name: string, forMs: number): Occasion {
    return { name, until: this.#now() + forMs };
  }

  #here(): { node?: string } {
    return this.#node === undefined ? {} : { node: this.#node };
  }
}
