import assert from 'node:assert';
import type { CalendarMonth } from './calendar-month.ts';
import type { Hold, HoldOrder, Shortage, ShortageKind } from './hold.ts';
import { type KeyAt, KeyMonths } from './key-months.ts';
import { PURCHASED } from './period.ts';
import { type DayTokens, TokenDay } from './token-day.ts';

/** `granted`: on top of what a plan gives; for purchased credit all of it. */
export type Bucket = { granted: number; used: number; held: number };
/** What a request has come to. */
export type Spent = { microcredits: number; tokens: number };

/** What a book is loaded from when it is first asked. */
export type BookSource = {
  bucket(period: string): { granted: number; used: number };
  /** What a key has spent in a month. */
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
    const loaded = { ...this.#source.bucket(period), held: 0 };
    this.#buckets.set(period, loaded);
    return loaded;
  }

  /** Tokens that the plan has paid for on the day. */
  dayTokens(at: number): number {
    return this.#tokenDay.tokens(at);
  }

  /** What a key has spent in a month. */
  spentOf(ofKey: KeyAt): number {
    return this.#keyMonths.of(ofKey).used;
  }

  /** How much would be set apart for the request, or what is missing. */
  afford(order: HoldOrder): number | Shortage {
    const { keyCapMicrocredits: cap, worst } = order;
    const ofKey = cap === null ? undefined : this.#keyMonths.of(order);
    const room = ofKey && cap !== null ? cap - ofKey.used - ofKey.held : Number.POSITIVE_INFINITY;
    const least = worst?.least ?? 0;
    if (ofKey && cap !== null && (ofKey.used >= cap || room < least))
      return this.#shortage('key-cap-reached', order);
    const free = this.#free(order);
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

  /** What of a cost can be charged: held balances are never passed, however wrong the estimate was. */
  chargeable({ order, microcredits }: Hold, cost: number): number {
    const { keyCapMicrocredits: cap, pays } = order;
    const bucket = this.#bucketOf(order);
    const paid = pays === 'purchased' ? bucket.granted - bucket.used - bucket.held + microcredits : cost;
    if (cap === null) return Math.max(0, Math.min(cost, paid));
    const { used, held } = this.#keyMonths.of(order);
    return Math.max(0, Math.min(cost, paid, cap - used - held + microcredits));
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

  spend(order: HoldOrder, { microcredits, tokens }: Spent): void {
    this.#bucketOf(order).used += microcredits;
    this.#keyMonths.of(order).used += microcredits;
    this.#tokenDay.add(order, tokens);
  }

  unspend(order: HoldOrder, { microcredits, tokens }: Spent): void {
    this.spend(order, { microcredits: -microcredits, tokens: -tokens });
  }

  /** Whether so much can be given, or taken back: no more than can be counted exactly, and nothing that was spent or is held. */
  canGive(period: string, microcredits: number): boolean {
    const { granted, used, held } = this.bucket(period);
    const given = granted + microcredits;
    return Number.isSafeInteger(given) && (period !== PURCHASED || given >= used + held);
  }

  #bucketOf({ pays, period }: HoldOrder): Bucket {
    return this.bucket(pays === 'purchased' ? PURCHASED : period.id);
  }

  #free(order: HoldOrder): number | ShortageKind {
    const { granted, used, held } = this.#bucketOf(order);
    if (order.pays === 'monthly') {
      const { limitMicrocredits: limit } = order.period;
      if (limit !== null && used >= limit + granted) return 'period-used-up';
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
