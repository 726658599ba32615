import { expect } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../base/lib/units.ts';
import { calendarMonth } from '../../../money/ledger/calendar-month.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { KeyAt } from '../../../money/ledger/key-months.ts';
import type { LedgerStore, Posting } from '../../../money/ledger/ledger-store.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { dayOf } from '../../../money/ledger/token-day.ts';
import { sampleEntry, sampleOrder, samplePeriod, samplePosting, sampleTime } from './sample-ledger.ts';
import { type OpenedStore, type OpenStore, storeTest } from './store-test.ts';

const nameOf = ({ keyId, at }: KeyAt): string => `${keyId} ${calendarMonth(at).startsAt}`;

type Open = { hold: Hold; checkpoint?: { posting: Posting; produced: boolean } };
type Place = { opened: OpenedStore; ledger: LedgerStore };

const CAPS = [300, 900, 2_000];
const LIMIT = 1_000;
/** The tokens that every posting reports. */
const SAMPLE_TOKENS = 10;
const KEYS = ['key_capped', 'key_free'];

/** A model of the account that keeps only sums. The ledger must agree with it after every step. */
class Model {
  cycle = 1;
  at = sampleTime;
  /** The cap of the capped key, which an administrator raises and lowers. */
  cap = 900;
  /** The tokens of the last day with usage. */
  last = { day: 0, tokens: 0 };
  readonly used = new Map<string, number>();
  readonly granted = new Map<string, number>();
  /** The amounts by key and month: those that count against the cap, and those charged. */
  readonly spent = new Map<string, number>();
  readonly charged = new Map<string, number>();
  open: Open[] = [];
  ended: Posting[] = [];
  /** The sum of what reversed payments have taken. */
  owable = 0;

  get period() {
    return samplePeriod({ id: `cycle-${this.cycle}`, startedAt: this.cycle, limitMicrocredits: LIMIT });
  }
  sum(sums: Map<string, number>, name: string): number {
    return sums.get(name) ?? 0;
  }
  add(sums: Map<string, number>, name: string, amount: number): void {
    sums.set(name, this.sum(sums, name) + amount);
  }
  held(concerns: (hold: Hold) => boolean): number {
    return this.open.reduce((total, { hold }) => total + (concerns(hold) ? hold.microcredits : 0), 0);
  }
  purchasedLeft(): number {
    const held = this.held(({ order }) => order.pays === 'purchased');
    return this.sum(this.granted, PURCHASED) - this.sum(this.used, PURCHASED) - held;
  }
  spentIn(of: KeyAt): number {
    return this.sum(this.spent, nameOf(of));
  }
  capLeft(of: KeyAt, cap: number): number {
    const held = this.held(({ order }) => nameOf(order) === nameOf(of) && order.keyCapMicrocredits !== null);
    return cap - this.spentIn(of) - held;
  }
  tokensOn(at: number): number {
    return this.last.day < dayOf(at) ? 0 : this.last.tokens;
  }
  /** Charges a request that is no longer open. In debt, it can spend what it has held. */
  charge({ order, microcredits }: Hold, cost: number, { isHeld = true } = {}): void {
    const { pays, keyCapMicrocredits: cap } = order;
    const capped = Math.max(0, cap === null ? cost : Math.min(cost, this.capLeft(order, cap)));
    const paid = Math.max(0, this.purchasedLeft(), isHeld ? microcredits : 0);
    const charged = pays === 'purchased' ? Math.min(capped, paid) : cost;
    this.add(this.used, pays === 'purchased' ? PURCHASED : order.period.id, charged);
    this.add(this.spent, nameOf(order), Math.min(capped, charged));
    this.add(this.charged, order.keyId, charged);
    this.#addTokens(order);
  }
  #addTokens({ at, tokensPerDay }: HoldOrder): void {
    if (tokensPerDay === null) return;
    const day = dayOf(at);
    if (day > this.last.day) this.last = { day, tokens: SAMPLE_TOKENS };
    else if (day === this.last.day) this.last.tokens += SAMPLE_TOKENS;
  }
}

type Step = (model: Model, place: Place) => Promise<void>;

const amount = fc.integer({ min: 0, max: 400 });
const index = fc.nat({ max: 20 });

const hold = fc
  .record({
    pays: fc.constantFrom('monthly' as const, 'purchased' as const),
    capped: fc.boolean(),
    least: amount,
    more: amount,
  })
  .map(
    ({ pays, capped, least, more }): Step =>
      async (model, { ledger }) => {
        const order = sampleOrder({
          pays,
          period: model.period,
          keyId: capped ? 'key_capped' : 'key_free',
          at: model.at,
          tokensPerDay: pays === 'monthly' ? 1_000_000 : null,
          keyCapMicrocredits: capped ? model.cap : null,
          worst: capped || pays === 'purchased' ? { least, most: least + more } : null,
        });
        const capLeft = capped ? model.capLeft(order, model.cap) : Infinity;
        const given = LIMIT + model.sum(model.granted, order.period.id);
        const held = await ledger.hold(order);
        if ('shortage' in held) {
          const isUsedUp = pays === 'monthly' && model.sum(model.used, order.period.id) >= given;
          const isShort = pays === 'purchased' && model.purchasedLeft() < Math.max(1, least);
          if (isShort && model.purchasedLeft() < 0) expect(held.shortage).not.toBe('nothing-purchased');
          const isCapped = capLeft < least || (capped && model.spentIn(order) >= model.cap);
          expect(isUsedUp || isShort || isCapped).toBe(true);
          return;
        }
        const purchased = pays === 'purchased' ? model.purchasedLeft() : Infinity;
        expect(held.microcredits).toBe(order.worst ? Math.min(least + more, capLeft, purchased) : 0);
        model.open.push({ hold: held });
      },
  );

const takeOpen = (model: Model, at: number): Open | undefined =>
  model.open.length > 0 ? model.open.splice(at % model.open.length, 1)[0] : undefined;

const post = fc.tuple(index, fc.integer({ min: 0, max: 900 })).map(
  ([at, cost]): Step =>
    async (model, { ledger }) => {
      const taken = takeOpen(model, at);
      if (!taken) return;
      const posting = samplePosting(taken.hold, cost);
      model.charge(taken.hold, cost);
      model.ended.push(posting);
      await ledger.post(posting);
    },
);

/** Posts or voids requests that have already ended. */
const endAgain = fc.tuple(index, fc.boolean()).map(
  ([at, isVoided]): Step =>
    async (model, { ledger }) => {
      const posting = model.ended[at % Math.max(1, model.ended.length)];
      if (!posting) return;
      if (isVoided) await ledger.void(posting.hold);
      else await ledger.post(posting);
    },
);

/** Posts several requests at once, in one commit. */
const postAll = fc.integer({ min: 0, max: 900 }).map(
  (cost): Step =>
    async (model, { ledger }) => {
      const postings = model.open
        .splice(0)
        .map(({ hold: held }) => ({ held, posting: samplePosting(held, cost) }));
      const left = [...postings];
      for (const { held, posting } of postings) {
        left.shift();
        model.open = left.map(({ held: other }) => ({ hold: other }));
        model.charge(held, cost);
        model.ended.push(posting);
      }
      await Promise.all(postings.map(({ posting }) => ledger.post(posting)));
    },
);

const voided = index.map(
  (at): Step =>
    async (model, { ledger }) => {
      const taken = takeOpen(model, at);
      if (!taken) return;
      await ledger.void(taken.hold);
      model.ended.push(samplePosting(taken.hold, 1));
    },
);

/** A cost that the hold covers. Which other holds outlive a crash differs from store to store. */
const costOf = ({ order, microcredits }: Hold, cost: number): number =>
  order.pays === 'purchased' ? Math.min(cost, microcredits) : cost;

const checkpoint = fc.tuple(fc.boolean(), amount).map(
  ([produced, cost]): Step =>
    async (model, { ledger }) => {
      for (const one of model.open)
        one.checkpoint = { posting: samplePosting(one.hold, costOf(one.hold, cost)), produced };
      await ledger.checkpoint(model.open.map((one) => one.checkpoint!));
    },
);

const give = fc
  .record({
    kind: fc.constantFrom('grant' as const, 'purchase' as const, 'adjustment' as const),
    size: amount,
  })
  .map(
    ({ kind, size }): Step =>
      async (model, { ledger }) => {
        const period = kind === 'grant' ? model.period.id : PURCHASED;
        const microcredits = kind === 'adjustment' ? -size : size;
        const isPossible = kind !== 'adjustment' || model.purchasedLeft() >= size;
        expect(await ledger.give(sampleEntry({ kind, period, microcredits }))).toBe(isPossible);
        if (isPossible) model.add(model.granted, period, microcredits);
      },
  );

/** Reverses a payment, also one whose credit is held or spent. */
const reverse = fc.integer({ min: 1, max: 700 }).map(
  (size): Step =>
    async (model, { ledger }) => {
      const entry = sampleEntry({ kind: 'adjustment', microcredits: -size });
      for (let times = 0; times < 2; times++) expect(await ledger.give(entry, { mayOwe: true })).toBe(true);
      model.add(model.granted, PURCHASED, -size);
      model.owable += size;
    },
);

const renew = fc.integer({ min: -1, max: 2 }).map(
  (months): Step =>
    async (model, { ledger }) => {
      model.cycle = Math.max(1, model.cycle + months);
      await ledger.openPeriod('acct_1', model.period);
    },
);

/** Moves the clock forwards or backwards, over days and months. */
const jump = fc.integer({ min: -40, max: 40 }).map(
  (days): Step =>
    async (model) => {
      model.at += days * DAY_MS;
    },
);

const setCap = fc.constantFrom(...CAPS).map(
  (cap): Step =>
    async (model) => {
      model.cap = cap;
    },
);

const byRequest = (one: Open, other: Open): number =>
  one.hold.order.requestId < other.hold.order.requestId ? -1 : 1;

/**
 * Simulates a crash. Some of the open requests were settled but not stored;
 * the others are at their last checkpoint.
 */
const crash = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 3 }).map(
  (costs): Step =>
    async (model, place) => {
      place.ledger = (await place.opened.reopen()).ledger;
      const isInDebt = model.purchasedLeft() < 0;
      const left = [...model.open];
      if (!isInDebt) model.open = [];
      model.ended = [];
      const end = (held: Hold, cost: number | undefined): void => {
        model.open = model.open.filter(({ hold }) => hold !== held);
        if (cost !== undefined) model.charge(held, cost, { isHeld: isInDebt });
      };
      const spooled = costs.flatMap((cost) =>
        left.splice(0, 1).map(({ hold: held }) => samplePosting(held, costOf(held, cost))),
      );
      for (const { hold: held, costMicrocredits } of spooled) end(held, costMicrocredits);
      for (let times = 0; times < 2; times++) await place.ledger.replay(spooled);
      for (const { hold: held, checkpoint: last } of left.toSorted(byRequest))
        end(held, last?.produced ? last.posting.costMicrocredits : undefined);
      await place.ledger.recoverHolds();
    },
);

const steps = fc.array(
  fc.oneof(
    { arbitrary: hold, weight: 6 },
    { arbitrary: post, weight: 4 },
    { arbitrary: voided, weight: 2 },
    { arbitrary: give, weight: 3 },
    ...[endAgain, postAll, checkpoint, reverse, renew, jump, setCap, crash].map((arbitrary) => ({
      arbitrary,
      weight: 1,
    })),
  ),
  { maxLength: 40 },
);

async function agree(model: Model, { ledger }: Place): Promise<void> {
  const { period } = model;
  const netPurchasedMicrocredits = model.sum(model.granted, PURCHASED) - model.sum(model.used, PURCHASED);
  const debtMicrocredits = Math.max(0, -model.purchasedLeft());
  expect(await ledger.balances('acct_1', period)).toEqual({
    usedMicrocredits: model.sum(model.used, period.id),
    grantedMicrocredits: model.sum(model.granted, period.id),
    purchasedMicrocredits: debtMicrocredits > 0 ? 0 : netPurchasedMicrocredits,
    debtMicrocredits,
    netPurchasedMicrocredits,
  });
  expect(debtMicrocredits).toBeLessThanOrEqual(model.owable);
  const { at } = model;
  expect(model.capLeft({ keyId: 'key_capped', at }, Math.max(...CAPS))).toBeGreaterThanOrEqual(0);
  for (const keyId of KEYS)
    expect(await ledger.keySpent('acct_1', { keyId, at })).toBe(model.spentIn({ keyId, at }));
  expect(await ledger.tokensOn('acct_1', model.at)).toBe(model.tokensOn(model.at));
}

/** Usage reports must include the whole charge, also the part beyond a cap. */
async function agreeOnCharges(model: Model, { ledger }: Place): Promise<void> {
  const sums = await ledger.sumUsage({ accountId: 'acct_1', from: 0, to: sampleTime * 2, by: 'key' });
  const charged = sums.filter(({ microcredits }) => microcredits > 0);
  expect(Object.fromEntries(charged.map(({ group, microcredits }) => [group, microcredits]))).toEqual(
    Object.fromEntries([...model.charged].filter(([, microcredits]) => microcredits > 0)),
  );
  expect((await ledger.verifyAccount('acct_1')).faults).toEqual([]);
}

/** Runs random sequences of steps. A failing sequence is shortened and reported with its seed. */
export function describeLedgerModel(open: OpenStore, options: { runs: number; seed: number }): void {
  storeTest(open)(
    'any sequence of holds, postings, grants, reversals, renewals and crashes keeps every sum [CRD-03] [CRD-35] [CRD-36] [CRD-41] [CRD-53]',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          const opened = await open();
          const place: Place = { opened, ledger: opened.store.ledger };
          try {
            const model = new Model();
            for (const step of sequence) {
              await step(model, place);
              await agree(model, place);
            }
            await agreeOnCharges(model, place);
          } finally {
            await opened.dispose();
          }
        }),
        { numRuns: options.runs, seed: options.seed },
      );
    },
    // The test waits for the disk thousands of times.
    300_000,
  );
}
