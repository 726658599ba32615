import assert from 'node:assert';
import type { Budget } from '../budgets/budget.ts';
import type { BudgetSource } from '../budgets/budget-counters.ts';
import { HeldBudgets } from '../budgets/held-budgets.ts';
import type { CalendarMonth } from './calendar-month.ts';
import { type Charge, chargeWithin, type SpentAmounts } from './charge.ts';
import type { Hold, HoldOrder, Shortage, ShortageKind } from './hold.ts';
import { type KeyAt, KeyMonths } from './key-months.ts';
import type { AccountBalances, GiveOptions } from './ledger-store.ts';
import { MAX_LIMIT } from './microcredits.ts';
import { PURCHASED } from './period.ts';
import { freePurchased, purchasedBalance } from './purchased-balance.ts';
import type { Spending } from './spend-watch.ts';
import { type DayTokens, TokenDay } from './token-day.ts';

/**
 * `granted`: credit beyond what the plan gives, or all of it for purchased credit. `coming`: grants that are
 * not written yet and do not count.
 */
export type Bucket = { granted: number; used: number; held: number; coming: number };

/** The source that a book is loaded from on first use. */
export type BookSource = BudgetSource & {
  bucket(period: string): { granted: number; used: number };
  /** Returns the amount that counts against a key's cap in a month. */
  spent(keyId: string, month: CalendarMonth): number;
  dayTokens(): DayTokens;
};

/**
 * One account's balances and holds, in memory.
 * They equal the stored balances plus the writes that are under way.
 */
export class AccountBook {
  readonly #source: BookSource;
  readonly #buckets = new Map<string, Bucket>();
  readonly #keyMonths: KeyMonths;
  readonly #tokenDay: TokenDay;
  readonly #budgets: HeldBudgets;

  constructor(source: BookSource) {
    this.#source = source;
    this.#keyMonths = new KeyMonths((keyId, month) => source.spent(keyId, month));
    this.#tokenDay = new TokenDay(() => source.dayTokens());
    this.#budgets = new HeldBudgets(source);
  }

  bucket(period: string): Bucket {
    const existingBucket = this.#buckets.get(period);
    if (existingBucket) return existingBucket;
    const loaded = { ...this.#source.bucket(period), held: 0, coming: 0 };
    this.#buckets.set(period, loaded);
    return loaded;
  }

  balancesOf(period: string): AccountBalances {
    const { used, granted } = this.bucket(period);
    const purchased = purchasedBalance(this.bucket(PURCHASED));
    return { usedMicrocredits: used, grantedMicrocredits: granted, ...purchased };
  }

  /** Returns the tokens that the plan has paid for on the day. */
  dayTokens(at: number): number {
    return this.#tokenDay.tokens(at);
  }

  /** Returns the amount that counts against a key's cap in a month. */
  spentOf(ofKey: KeyAt): number {
    return this.#keyMonths.monthOf(ofKey).used;
  }

  /** Returns the balance that the order draws on, for observers. */
  spendingOf(order: HoldOrder, refused: ShortageKind | null): Spending {
    const spending = { order, ...this.#payer(order), refused };
    return this.#budgets.isEmpty ? spending : { ...spending, budgets: this.#budgets.statesOf(order) };
  }

  /** Returns the amounts that open requests hold of a budget, by target. */
  heldOf(budget: Budget, at: number): Map<string, number> {
    return this.#budgets.heldOf(budget, at);
  }

  /** Returns the amount that a hold for this request would reserve, or the shortage. */
  affordableHold(order: HoldOrder): number | Shortage {
    const { keyCapMicrocredits: cap, worst } = order;
    const ofKey = cap === null ? undefined : this.#keyMonths.monthOf(order);
    const leftOfCap = this.#leftOfCap(order);
    const least = worst?.least ?? 0;
    const free = this.#freeCredit(order);
    // An account without purchases is refused for that first, since every key would be.
    if (free === 'nothing-purchased') return this.#shortage(free, order);
    const budgeted = this.#budgets.roomFor(order, least);
    if (budgeted.short.length > 0)
      return { ...this.#shortage('budget-reached', order), budgets: budgeted.short };
    if (ofKey && cap !== null && (ofKey.used >= cap || leftOfCap < least))
      return this.#shortage('key-cap-reached', order);
    if (typeof free === 'string') return this.#shortage(free, order);
    return Math.min(worst?.most ?? 0, leftOfCap, free, budgeted.room);
  }

  /** Reserves the worst cost of a request. Returns the reserved amount, or the shortage. */
  hold(order: HoldOrder): number | Shortage {
    const microcredits = this.affordableHold(order);
    if (typeof microcredits === 'number') {
      this.#moveHold(order, microcredits);
      this.#budgets.reserve(order, microcredits);
    }
    return microcredits;
  }

  /** Restores a hold of an earlier process even if it no longer fits, since its request is under way. */
  restore({ order, microcredits }: Hold): void {
    this.#moveHold(order, microcredits);
    this.#budgets.reserve(order, microcredits);
  }

  /** Reports whether purchased credit and the caps of the keys cover holds of an earlier process. */
  covers(holds: readonly Hold[]): boolean {
    const purchased = holds.filter(({ order }) => order.pays === 'purchased');
    if (sumOf(purchased) > freePurchased(this.bucket(PURCHASED))) return false;
    const capped = holds.filter(({ order }) => order.keyCapMicrocredits !== null);
    const byKeyMonth = Map.groupBy(capped, ({ order }) => this.#keyMonths.monthOf(order));
    return [...byKeyMonth.values()].every((ofKey) => {
      const sum = sumOf(ofKey);
      return ofKey.every(({ order }) => sum <= this.#leftOfCap(order));
    });
  }

  /** Releases a hold without a charge. */
  void({ order, microcredits }: Hold): void {
    this.#moveHold(order, -microcredits);
    this.#budgets.release(order);
  }

  /** Returns the part of a cost that can be charged. `allowedByBudgets` is infinite without budgets. */
  charge(hold: Hold, cost: number, allowedByBudgets = Number.POSITIVE_INFINITY): Charge {
    const balance = this.#bucketOf(hold.order);
    return chargeWithin(hold, cost, { balance, leftOfCap: this.#leftOfCap(hold.order), allowedByBudgets });
  }

  /** Replaces a hold by the charge. */
  post(hold: Hold, charged: SpentAmounts): void {
    this.void(hold);
    this.spend(hold.order, charged);
  }

  /** Reverts a posting that could not be written. */
  unpost({ order, microcredits }: Hold, charged: SpentAmounts): void {
    this.unspend(order, charged);
    this.#moveHold(order, microcredits);
    this.#budgets.reserve(order, microcredits);
  }

  /** Counts a charge that is being written. Budgets hold it until `onWritten`. */
  spend(order: HoldOrder, spent: SpentAmounts): void {
    this.#count(order, spent, 1);
    this.#budgets.reserve(order, spent.microcredits);
  }

  /** Reverts `spend`. */
  unspend(order: HoldOrder, spent: SpentAmounts): void {
    this.#count(order, spent, -1);
    this.#budgets.release(order);
  }

  /**
   * Counts a charge that waits for the store. Other balances hold its highest cost meanwhile. A negative
   * amount takes it back.
   */
  addUnwritten(order: HoldOrder, microcredits: number): void {
    if (order.pays === 'monthly') this.#bucketOf(order).used += microcredits;
  }

  /** Ends what a charge held of budgets, after its entry is written. */
  onWritten(order: HoldOrder, { microcredits }: SpentAmounts): void {
    this.#budgets.onWritten(order, microcredits);
  }

  /**
   * Reports whether an amount can be given or taken back.
   * The sum with the plan's credits and pending grants must stay a safe integer. Credit that was spent or is
   * held cannot be taken back, unless the account may owe it.
   */
  canGive(period: string, microcredits: number, { mayOwe = false }: GiveOptions = {}): boolean {
    const { granted, used, held, coming } = this.bucket(period);
    const total = granted + microcredits;
    if (period === PURCHASED)
      return Number.isSafeInteger(total + coming) && (microcredits > 0 || mayOwe || total >= used + held);
    return Number.isSafeInteger(total) && Number.isSafeInteger(total + coming + MAX_LIMIT);
  }

  /** Returns the rest of the key's cap after spending and holds. */
  #leftOfCap(order: HoldOrder): number {
    const { keyCapMicrocredits: cap } = order;
    if (cap === null) return Number.POSITIVE_INFINITY;
    const { used, held } = this.#keyMonths.monthOf(order);
    return cap - used - held;
  }

  #bucketOf({ pays, period }: HoldOrder): Bucket {
    return this.bucket(pays === 'purchased' ? PURCHASED : period.id);
  }

  /** Returns the credit that a hold can take, or the shortage. Monthly credits bound no single request. */
  #freeCredit(order: HoldOrder): number | ShortageKind {
    const { granted, used, held } = this.#bucketOf(order);
    if (order.pays === 'monthly') {
      const { limitMicrocredits: limit } = order.period;
      if (used >= (limit ?? Number.MAX_SAFE_INTEGER) + granted) return 'period-used-up';
      return this.#isDayUsedUp(order) ? 'day-used-up' : Number.POSITIVE_INFINITY;
    }
    const free = freePurchased({ granted, used, held });
    if (used >= granted && free >= 0) return 'nothing-purchased';
    return free < Math.max(1, order.worst?.least ?? 0) ? 'purchased-too-little' : free;
  }

  #isDayUsedUp({ tokensPerDay, at }: HoldOrder): boolean {
    return tokensPerDay !== null && this.#tokenDay.tokens(at) >= tokensPerDay;
  }

  #moveHold(order: HoldOrder, microcredits: number): void {
    if (microcredits === 0) return;
    const bucket = this.#bucketOf(order);
    if (order.pays === 'purchased') bucket.held += microcredits;
    if (order.keyCapMicrocredits !== null) this.#keyMonths.monthOf(order).held += microcredits;
    assert(bucket.held >= 0, 'no more is given back than was held');
  }

  #count(order: HoldOrder, { microcredits, keyMicrocredits, tokens }: SpentAmounts, sign: 1 | -1): void {
    this.#bucketOf(order).used += sign * microcredits;
    this.#keyMonths.monthOf(order).used += sign * keyMicrocredits;
    this.#tokenDay.add(order, sign * tokens);
  }

  /** Returns the amounts of the balance that pays, and of the key if it has a cap. */
  #payer(order: HoldOrder): NonNullable<Shortage['payer']> {
    const { used, granted } = this.#bucketOf(order);
    const keyMicrocredits = order.keyCapMicrocredits === null ? null : this.#keyMonths.monthOf(order).used;
    return { usedMicrocredits: used, grantedMicrocredits: granted, keyMicrocredits };
  }

  #shortage(shortage: ShortageKind, order: HoldOrder): Shortage {
    const { id, limitMicrocredits: limit } = order.period;
    const { used, granted } = this.bucket(id);
    return {
      shortage,
      usedMicrocredits: used,
      givenMicrocredits: limit === null ? null : limit + granted,
      payer: this.#payer(order),
    };
  }
}

const sumOf = (holds: readonly Hold[]): number =>
  holds.reduce((sum, { microcredits }) => sum + microcredits, 0);
