import assert from 'node:assert';
import type { Hold, HoldOrder, Shortage, ShortageKind } from './hold.ts';
import { PURCHASED } from './period.ts';

/** `granted`: on top of what a plan gives; for purchased credit all of it. */
export type Bucket = { granted: number; used: number; held: number };
type KeyMonth = { used: number; held: number };

/** What a book is loaded from when it is first asked. */
export type BookSource = {
  bucket(period: string): { granted: number; used: number };
  /** What a key has spent in a month. */
  spent(keyId: string, month: HoldOrder['month']): number;
};

/** Keys and months of one account that are remembered. */
const MOST_KEPT = 1_000;

/** One account's balances in memory, with what is held of them: they stand as the store does, plus what is on its way there. */
export class AccountBook {
  readonly #source: BookSource;
  readonly #buckets = new Map<string, Bucket>();
  readonly #keyMonths = new Map<string, KeyMonth>();

  constructor(source: BookSource) {
    this.#source = source;
  }

  bucket(period: string): Bucket {
    const known = this.#buckets.get(period);
    if (known) return known;
    const loaded = { ...this.#source.bucket(period), held: 0 };
    this.#buckets.set(period, loaded);
    return loaded;
  }

  /** Sets apart what the request may cost, or says what is missing. */
  hold(order: HoldOrder): Hold | Shortage {
    const { keyCapMicrocredits: cap, worst } = order;
    const ofKey = cap === null ? undefined : this.#keyMonth(order);
    const room = ofKey && cap !== null ? cap - ofKey.used - ofKey.held : Number.POSITIVE_INFINITY;
    const least = worst?.least ?? 0;
    if (ofKey && cap !== null && (ofKey.used >= cap || room < least))
      return this.#shortage('key-cap-reached', order);
    const free = this.#free(order);
    if (typeof free === 'string') return this.#shortage(free, order);
    const microcredits = Math.min(worst?.most ?? 0, room, free);
    this.#move(order, microcredits);
    return { order, microcredits };
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
    const { used, held } = this.#keyMonth(order);
    return Math.max(0, Math.min(cost, paid, cap - used - held + microcredits));
  }

  /** Spends what was charged in the place of what was held. */
  post(hold: Hold, charged: number): void {
    this.void(hold);
    this.spend(hold.order, charged);
  }

  /** As if it had not been posted, since it could not be written. */
  unpost({ order, microcredits }: Hold, charged: number): void {
    this.spend(order, -charged);
    this.#move(order, microcredits);
  }

  spend(order: HoldOrder, charged: number): void {
    this.#bucketOf(order).used += charged;
    const month = this.#keyMonths.get(keyMonthName(order));
    if (month) month.used += charged; // else it is read from the store when somebody asks
  }

  /** Whether so much can be taken back of what was granted. */
  canTake(period: string, microcredits: number): boolean {
    const { granted, used, held } = this.bucket(period);
    return period !== PURCHASED || granted - microcredits >= used + held;
  }

  #bucketOf({ pays, period }: HoldOrder): Bucket {
    return this.bucket(pays === 'purchased' ? PURCHASED : period.id);
  }

  #keyMonth(order: HoldOrder): KeyMonth {
    const name = keyMonthName(order);
    const known = this.#keyMonths.get(name);
    if (known) return known;
    const loaded = { used: this.#source.spent(order.keyId, order.month), held: 0 };
    this.#forgetOldMonths();
    this.#keyMonths.set(name, loaded);
    return loaded;
  }

  #forgetOldMonths(): void {
    if (this.#keyMonths.size < MOST_KEPT) return;
    for (const [name, { held }] of this.#keyMonths) if (held === 0) this.#keyMonths.delete(name);
  }

  #free(order: HoldOrder): number | ShortageKind {
    const { granted, used, held } = this.#bucketOf(order);
    if (order.pays === 'monthly') {
      const limit = order.period.limitMicrocredits;
      return limit !== null && used >= limit + granted ? 'period-used-up' : Number.POSITIVE_INFINITY;
    }
    if (used >= granted) return 'nothing-purchased';
    const free = granted - used - held;
    return free < Math.max(1, order.worst?.least ?? 0) ? 'purchased-too-little' : free;
  }

  #move(order: HoldOrder, microcredits: number): void {
    if (microcredits === 0) return;
    const bucket = this.#bucketOf(order);
    if (order.pays === 'purchased') bucket.held += microcredits;
    if (order.keyCapMicrocredits !== null) this.#keyMonth(order).held += microcredits;
    assert(bucket.held >= 0, 'no more is given back than was held');
  }

  #shortage(shortage: ShortageKind, { period }: HoldOrder): Shortage {
    const { used, granted } = this.bucket(period.id);
    const { limitMicrocredits: limit } = period;
    return { shortage, usedMicrocredits: used, givenMicrocredits: limit === null ? null : limit + granted };
  }
}

const keyMonthName = ({ keyId, month }: HoldOrder): string => `${keyId} ${month.startsAt}`;
