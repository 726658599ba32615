import assert from 'node:assert';
import type { CalendarMonth } from './calendar-month.ts';
import type { Hold, HoldOrder, Shortage, ShortageKind } from './hold.ts';
import { type KeyAt, KeyMonths } from './key-months.ts';
import { LARGEST_LIMIT } from './microcredits.ts';
import { PURCHASED } from './period.ts';
import type { Bound } from './shortfall.ts';
import { type DayTokens, TokenDay } from './token-day.ts';

/**
 * `granted`: on top of what a plan gives; for purchased credit all of it. `coming`: what is being given, and does not count before it is
 * written.
 */
export type Bucket = { granted: number; used: number; held: number; coming: number };

/**
 * What of a cost is charged, and how much of that counts in the key's month. `bound`: what ended before the cost did, so that less than the
 * cost is charged.
 */
export type Charged = { microcredits: number; keyMicrocredits: number; bound: Bound | null };
/** What a request has come to. */
export type Spent = Pick<Charged, 'microcredits' | 'keyMicrocredits'> & { tokens: number };

/** What a book is loaded from when it is first asked. */
export type BookSource = {
  bucket(period: string): { granted: number; used: number };
  /** What counts against a key's cap in a month. */
  spent(keyId: string, month: CalendarMonth): number;
  dayTokens(): DayTokens;
};

/** One account's balances in memory, with what is held of them: they stand as the store does, plus what is on its way there. */
export class AccountBook {
  readonly #source: BookSource;
  readonly #buckets = new Map<string, Bucket>();
  readonly #keyMonths: KeyMonths;
  readonly #tokenDay: TokenDay;

  constructor(source: BookSource) {
    this.#source = source;
    this.#keyMonths = new KeyMonths((keyId, month) => source.spent(keyId, month));
    this.#tokenDay = new TokenDay(() => source.dayTokens());
  }

  bucket(period: string): Bucket {
    const known = this.#buckets.get(period);
    if (known) return known;
    const loaded = { ...this.#source.bucket(period), held: 0, coming: 0 };
    this.#buckets.set(period, loaded);
    return loaded;
  }

  /** Tokens that the plan has paid for on the day. */
  dayTokens(at: number): number {
    return this.#tokenDay.tokens(at);
  }

  /** What counts against a key's cap in a month. */
  spentOf(ofKey: KeyAt): number {
    return this.#keyMonths.of(ofKey).used;
  }

  /** How much would be set apart for the request, or what is missing. */
  afford(order: HoldOrder): number | Shortage {
    const { keyCapMicrocredits: cap, worst } = order;
    const ofKey = cap === null ? undefined : this.#keyMonths.of(order);
    const room = this.#capRoom(order);
    const least = worst?.least ?? 0;
    const free = this.#free(order);
    // An account that has bought nothing is told so first: its plan is at fault, whichever key it uses.
    if (free === 'nothing-purchased') return this.#shortage(free, order);
    if (ofKey && cap !== null && (ofKey.used >= cap || room < least))
      return this.#shortage('key-cap-reached', order);
    if (typeof free === 'string') return this.#shortage(free, order);
    return Math.min(worst?.most ?? 0, room, free);
  }

  /** Sets apart what the request may cost and says how much that is, or what is missing. */
  hold(order: HoldOrder): number | Shortage {
    const microcredits = this.afford(order);
    if (typeof microcredits === 'number') this.#move(order, microcredits);
    return microcredits;
  }

  /** Takes a hold of an earlier process again, whether or not it fits: its request is under way. */
  retake({ order, microcredits }: Hold): void {
    this.#move(order, microcredits);
  }

  /** Gives back what was held. */
  void({ order, microcredits }: Hold): void {
    this.#move(order, -microcredits);
  }

  /**
   * What of a cost can be charged. Purchased credit and the key's cap are never passed, however wrong the estimate was. A cap says what the
   * key may spend and not what an account is charged: monthly credits pay the whole cost, and only the key's month stops at the cap. No sum
   * passes what can be counted.
   */
  charge({ order, microcredits }: Hold, cost: number): Charged {
    const isCapped = order.keyCapMicrocredits !== null;
    const capped = isCapped ? within(cost, this.#capRoom(order) + microcredits) : cost;
    const { granted, used, held } = this.#bucketOf(order);
    if (order.pays === 'monthly') {
      const countable = within(cost, Number.MAX_SAFE_INTEGER - used);
      return { microcredits: countable, keyMicrocredits: Math.min(capped, countable), bound: null };
    }
    const paid = within(cost, granted - used - held + microcredits);
    const charged = Math.min(capped, paid);
    const bound = charged === cost ? null : capped < paid ? 'key-cap' : 'purchased-balance';
    return { microcredits: charged, keyMicrocredits: charged, bound };
  }

  /** Spends what was charged in the place of what was held. */
  post(hold: Hold, charged: Spent): void {
    this.void(hold);
    this.spend(hold.order, charged);
  }

  /** As if it had not been posted, since it could not be written. */
  unpost({ order, microcredits }: Hold, charged: Spent): void {
    this.unspend(order, charged);
    this.#move(order, microcredits);
  }

  spend(order: HoldOrder, { microcredits, keyMicrocredits, tokens }: Spent): void {
    this.#bucketOf(order).used += microcredits;
    this.#keyMonths.of(order).used += keyMicrocredits;
    this.#tokenDay.add(order, tokens);
  }

  unspend(order: HoldOrder, { microcredits, keyMicrocredits, tokens }: Spent): void {
    this.spend(order, { microcredits: -microcredits, keyMicrocredits: -keyMicrocredits, tokens: -tokens });
  }

  /**
   * Whether so much can be given, or taken back: no more than can be counted exactly together with what the plan gives and what is on its
   * way, and nothing that was spent or is held.
   */
  canGive(period: string, microcredits: number): boolean {
    const { granted, used, held, coming } = this.bucket(period);
    const given = granted + microcredits;
    if (period === PURCHASED) return Number.isSafeInteger(given + coming) && given >= used + held;
    return Number.isSafeInteger(given) && Number.isSafeInteger(given + coming + LARGEST_LIMIT);
  }

  /** What is left of the key's cap beside what is held of it. */
  #capRoom(order: HoldOrder): number {
    const { keyCapMicrocredits: cap } = order;
    if (cap === null) return Number.POSITIVE_INFINITY;
    const { used, held } = this.#keyMonths.of(order);
    return cap - used - held;
  }

  #bucketOf({ pays, period }: HoldOrder): Bucket {
    return this.bucket(pays === 'purchased' ? PURCHASED : period.id);
  }

  #free(order: HoldOrder): number | ShortageKind {
    const { granted, used, held } = this.#bucketOf(order);
    if (order.pays === 'monthly') {
      const { limitMicrocredits: limit } = order.period;
      if (used >= (limit ?? Number.MAX_SAFE_INTEGER) + granted) return 'period-used-up';
      return this.#isDayUsedUp(order) ? 'day-used-up' : Number.POSITIVE_INFINITY;
    }
    if (used >= granted) return 'nothing-purchased';
    const free = granted - used - held;
    return free < Math.max(1, order.worst?.least ?? 0) ? 'purchased-too-little' : free;
  }

  #isDayUsedUp({ tokensPerDay, at }: HoldOrder): boolean {
    return tokensPerDay !== null && this.#tokenDay.tokens(at) >= tokensPerDay;
  }

  #move(order: HoldOrder, microcredits: number): void {
    if (microcredits === 0) return;
    const bucket = this.#bucketOf(order);
    if (order.pays === 'purchased') bucket.held += microcredits;
    if (order.keyCapMicrocredits !== null) this.#keyMonths.of(order).held += microcredits;
    assert(bucket.held >= 0, 'no more is given back than was held');
  }

  #shortage(shortage: ShortageKind, { period }: HoldOrder): Shortage {
    const { used, granted } = this.bucket(period.id);
    const { limitMicrocredits: limit } = period;
    return { shortage, usedMicrocredits: used, givenMicrocredits: limit === null ? null : limit + granted };
  }
}

const within = (cost: number, room: number): number => Math.max(0, Math.min(cost, room));
