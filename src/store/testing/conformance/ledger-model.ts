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

const keyMonth = ({ keyId, at }: KeyAt): string => `${keyId} ${calendarMonth(at).startsAt}`;

/** A model of one account that keeps only sums. The ledger must agree with it after every step. */
export class LedgerModel {
  cycle = 1;
  at = sampleTime;
  /** The cap of the capped key, which an administrator raises and lowers. */
  cap = 900;
  /** The tokens of the last day with usage. */
  last = { day: 0, tokens: 0 };
  /** The used and granted credit of each balance. */
  readonly used = new Map<string, number>();
  readonly granted = new Map<string, number>();
  /** The amounts of each key and month that count against the cap. */
  readonly spent = new Map<string, number>();
  /** The charges of each key. */
  readonly charged = new Map<string, number>();
  open: ModelHold[] = [];
  ended: Posting[] = [];
  /** The sum of the credit that reversed payments have taken. */
  owable = 0;

  get period() {
    return samplePeriod({ id: `cycle-${this.cycle}`, startedAt: this.cycle, limitMicrocredits: CYCLE_LIMIT });
  }

  sum(sums: Map<string, number>, name: string): number {
    return sums.get(name) ?? 0;
  }

  add(sums: Map<string, number>, name: string, amount: number): void {
    sums.set(name, this.sum(sums, name) + amount);
  }

  purchasedLeft(): number {
    const held = this.#held(({ order }) => order.pays === 'purchased');
    return this.sum(this.granted, PURCHASED) - this.sum(this.used, PURCHASED) - held;
  }

  spentIn(month: KeyAt): number {
    return this.sum(this.spent, keyMonth(month));
  }

  capLeft(month: KeyAt, cap: number): number {
    const name = keyMonth(month);
    const held = this.#held(({ order }) => keyMonth(order) === name && order.keyCapMicrocredits !== null);
    return cap - this.spentIn(month) - held;
  }

  tokensOn(at: number): number {
    return this.last.day < dayOf(at) ? 0 : this.last.tokens;
  }

  /** Removes an open hold. `at` is taken modulo their number. Returns undefined if no hold is open. */
  takeOpen(at: number): ModelHold | undefined {
    return this.open.length > 0 ? this.open.splice(at % this.open.length, 1)[0] : undefined;
  }

  /** Charges a request that is no longer open. In debt, it can spend what it has held. */
  charge({ order, microcredits }: Hold, cost: number, { isHeld = true } = {}): void {
    const { pays, keyCapMicrocredits: cap } = order;
    const capped = Math.max(0, cap === null ? cost : Math.min(cost, this.capLeft(order, cap)));
    const paid = Math.max(0, this.purchasedLeft(), isHeld ? microcredits : 0);
    const charged = pays === 'purchased' ? Math.min(capped, paid) : cost;
    this.add(this.used, pays === 'purchased' ? PURCHASED : order.period.id, charged);
    this.add(this.spent, keyMonth(order), Math.min(capped, charged));
    this.add(this.charged, order.keyId, charged);
    this.#addTokens(order);
  }

  #held(concerns: (hold: Hold) => boolean): number {
    return this.open.reduce((total, { hold }) => total + (concerns(hold) ? hold.microcredits : 0), 0);
  }

  #addTokens({ at, tokensPerDay }: HoldOrder): void {
    if (tokensPerDay === null) return;
    const day = dayOf(at);
    if (day > this.last.day) this.last = { day, tokens: SAMPLE_TOKENS };
    else if (day === this.last.day) this.last.tokens += SAMPLE_TOKENS;
  }
}
