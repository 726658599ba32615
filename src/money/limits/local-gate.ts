import { Refusal } from '../../base/errors/refusal.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Hold, Shortage } from '../ledger/hold.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';
import type { Gate, GateAnswer, GateForecast, GateOrder, GateQuestion, LimitOrder } from './gate.ts';
import { type LimitCount, UNLIMITED } from './limit-count.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { LimitState } from './limit-state.ts';
import type { LimitedKey, Limiter } from './limiter.ts';

/** The part of the ledger that holds credit. */
type CreditHolder = Pick<LedgerStore, 'afford' | 'hold' | 'void'>;

/**
 * The gate of a process that serves alone. Limits are counted in its memory. Its caches follow every change
 * at once, so no request is stale.
 */
export class LocalGate implements Gate {
  readonly #ledger: CreditHolder;
  readonly #limiter: Limiter;

  constructor(ledger: CreditHolder, limiter: Limiter) {
    this.#ledger = ledger;
    this.#limiter = limiter;
  }

  decide(order: GateOrder): MaybeLater<GateAnswer> {
    const held = this.#ledger.hold(order.credit);
    // Not `andThen()`: most holds are there at once, and then no closure is made for the request.
    return held instanceof Promise
      ? held.then((later) => this.#admit(order, later))
      : this.#admit(order, held);
  }

  ask({ credit, limits }: GateOrder): MaybeLater<GateForecast> {
    return andThen<number | Shortage, GateForecast>(this.#ledger.afford(credit), (afforded) => {
      if (typeof afforded !== 'number') return { kind: 'shortage', shortage: afforded };
      const refusal = limits && this.#limiter.refusalFor(limits);
      return refusal ? { kind: 'limited', refusal } : { kind: 'affordable', microcredits: afforded };
    });
  }

  take({ limits }: LimitOrder): LimitCount | Refusal {
    return this.#limiter.count(limits);
  }

  read({ accountId, figures, count }: GateQuestion): Refusal | undefined {
    return this.#limiter.countReads(accountId, figures, count);
  }

  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState {
    return this.#limiter.stateOf(accountId, figures, key);
  }

  /** Counts the request against its limits. A refused one gives its hold back. */
  #admit({ limits }: GateOrder, held: Hold | Shortage): GateAnswer {
    if ('shortage' in held) return { kind: 'shortage', shortage: held };
    const count = limits ? this.#limiter.count(limits) : UNLIMITED;
    if (!(count instanceof Refusal)) return { kind: 'admitted', hold: held, count };
    this.#ledger.void(held);
    return { kind: 'limited', refusal: count };
  }
}
