import { calendarMonth } from '../../../money/ledger/calendar-month.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { KeyAt } from '../../../money/ledger/key-months.ts';
import type { Posting } from '../../../money/ledger/ledger-store.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import { samplePeriod, sampleTime } from './sample-ledger.ts';

/** A request that is neither posted nor voided. */
export type ModelHold = { hold: Hold; checkpoint?: { posting: Posting; produced: boolean } };

/** The limit of each cycle. */
export const CYCLE_LIMIT = 1_000;
/** The tokens that every posting reports. */
const SAMPLE_TOKENS = 10;

/** Sums by name. A sum without an addition is zero. */
class Sums {
  readonly #sums = new Map<string, number>();

  of(name: string): number {
    return this.#sums.get(name) ?? 0;
  }

  add(name: string, amount: number): void {
    this.#sums.set(name, this.of(name) + amount);
  }

  /** Returns the sums above zero, by their names. */
  positive(): Record<string, number> {
    return Object.fromEntries([...this.#sums].filter(([, sum]) => sum > 0));
  }
}

const keyMonth = ({ keyId, at }: KeyAt): string => `${keyId} ${calendarMonth(at).startsAt}`;

/** A model of one account that keeps only sums. The ledger must agree with it after every step. */
export class LedgerModel {
  cycle = 1;
  at = sampleTime;
  /** The cap of the capped key, which an administrator raises and lowers. */
  cap = 900;
  /** The tokens of the last day with usage. */
  lastDay = { day: 0, tokens: 0 };
  /** The used and granted credit of each balance. */
  readonly used = new Sums();
  readonly granted = new Sums();
  /** The amounts of each key and month that count against the cap. */
  readonly spent = new Sums();
  /** The charges of each key. */
  readonly charged = new Sums();
  open: ModelHold[] = [];
  endedPostings: Posting[] = [];
  /** The sum of the credit that reversed payments have taken. */
  reversedMicrocredits = 0;

  get period() {
    return samplePeriod({ id: `cycle-${this.cycle}`, startedAt: this.cycle, limitMicrocredits: CYCLE_LIMIT });
  }

  purchasedLeft(): number {
    const held = this.#held(({ order }) => order.pays === 'purchased');
    return this.granted.of(PURCHASED) - this.used.of(PURCHASED) - held;
  }

  spentIn(month: KeyAt): number {
    return this.spent.of(keyMonth(month));
  }

  capLeft(month: KeyAt, cap: number): number {
    const name = keyMonth(month);
    const held = this.#held(({ order }) => keyMonth(order) === name && order.keyCapMicrocredits !== null);
    return cap - this.spentIn(month) - held;
  }

  tokensOn(at: number): number {
    return this.lastDay.day < dayOf(at) ? 0 : this.lastDay.tokens;
  }

  /** Removes the open hold at `index`, which wraps around. Returns undefined if no hold is open. */
  takeOpen(index: number): ModelHold | undefined {
    return this.open.length > 0 ? this.open.splice(index % this.open.length, 1)[0] : undefined;
  }

  /**
   * Charges a request that is no longer open. An account in debt can still spend the amount that the request
   * holds.
   */
  charge({ order, microcredits }: Hold, cost: number, { isHeld = true } = {}): void {
    const { pays, keyCapMicrocredits: cap } = order;
    const capped = Math.max(0, cap === null ? cost : Math.min(cost, this.capLeft(order, cap)));
    const paid = Math.max(0, this.purchasedLeft(), isHeld ? microcredits : 0);
    const charged = pays === 'purchased' ? Math.min(capped, paid) : cost;
    this.used.add(pays === 'purchased' ? PURCHASED : order.period.id, charged);
    this.spent.add(keyMonth(order), Math.min(capped, charged));
    this.charged.add(order.keyId, charged);
    this.#addTokens(order);
  }

  #held(concerns: (hold: Hold) => boolean): number {
    return this.open.reduce((total, { hold }) => total + (concerns(hold) ? hold.microcredits : 0), 0);
  }

  #addTokens({ at, tokensPerDay }: HoldOrder): void {
    if (tokensPerDay === null) return;
    const day = dayOf(at);
    if (day > this.lastDay.day) this.lastDay = { day, tokens: SAMPLE_TOKENS };
    else if (day === this.lastDay.day) this.lastDay.tokens += SAMPLE_TOKENS;
  }
}
