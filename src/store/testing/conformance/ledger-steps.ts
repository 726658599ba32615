import { expect } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import type { LedgerStore } from '../../../money/ledger/ledger-store.ts';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { CYCLE_LIMIT, type LedgerModel, type ModelHold } from './ledger-model.ts';
import { sampleEntry, sampleOrder, samplePosting } from './sample-ledger.ts';
import type { OpenedStore } from './store-test.ts';

/** The ledger under test. A crash replaces it. */
export type TestedLedger = { opened: OpenedStore; ledger: LedgerStore };

/** Does the same to the ledger and to its model. */
export type LedgerStep = (model: LedgerModel, tested: TestedLedger) => Promise<void>;

export const CAPPED_KEY = 'key_capped';
export const UNCAPPED_KEY = 'key_free';
/** The caps that the capped key can have. */
export const CAPS = [300, 900, 2_000];

const amounts = fc.integer({ min: 0, max: 400 });
const indexes = fc.nat({ max: 20 });

const holdStep = fc
  .record({
    pays: fc.constantFrom('monthly' as const, 'purchased' as const),
    isCapped: fc.boolean(),
    least: amounts,
    more: amounts,
  })
  .map(
    ({ pays, isCapped, least, more }): LedgerStep =>
      async (model, { ledger }) => {
        const order = sampleOrder({
          pays,
          period: model.period,
          keyId: isCapped ? CAPPED_KEY : UNCAPPED_KEY,
          at: model.at,
          tokensPerDay: pays === 'monthly' ? 1_000_000 : null,
          keyCapMicrocredits: isCapped ? model.cap : null,
          worst: isCapped || pays === 'purchased' ? { least, most: least + more } : null,
        });
        const capLeft = isCapped ? model.capLeft(order, model.cap) : Infinity;
        const given = CYCLE_LIMIT + model.granted.of(order.period.id);
        const isUsedUp = pays === 'monthly' && model.used.of(order.period.id) >= given;
        const isShort = pays === 'purchased' && model.purchasedLeft() < Math.max(1, least);
        const isBeyondCap = capLeft < least || (isCapped && model.spentIn(order) >= model.cap);
        const hold = await ledger.hold(order);
        expect('shortage' in hold).toBe(isUsedUp || isShort || isBeyondCap);
        if ('shortage' in hold) {
          if (isShort && model.purchasedLeft() < 0) expect(hold.shortage).not.toBe('nothing-purchased');
          return;
        }
        const purchased = pays === 'purchased' ? model.purchasedLeft() : Infinity;
        expect(hold.microcredits).toBe(order.worst ? Math.min(least + more, capLeft, purchased) : 0);
        model.open.push({ hold });
      },
  );

const postStep = fc.tuple(indexes, fc.integer({ min: 0, max: 900 })).map(
  ([index, cost]): LedgerStep =>
    async (model, { ledger }) => {
      const taken = model.takeOpen(index);
      if (!taken) return;
      const posting = samplePosting(taken.hold, cost);
      model.charge(taken.hold, cost);
      model.endedPostings.push(posting);
      await ledger.post(posting);
    },
);

/** Posts or voids a request that has already ended. */
const endAgainStep = fc.tuple(indexes, fc.boolean()).map(
  ([index, isVoided]): LedgerStep =>
    async (model, { ledger }) => {
      const posting = model.endedPostings[index % Math.max(1, model.endedPostings.length)];
      if (!posting) return;
      if (isVoided) await ledger.void(posting.hold);
      else await ledger.post(posting);
    },
);

/** Posts all open requests at once, in one commit. */
const postAllStep = fc.integer({ min: 0, max: 900 }).map(
  (cost): LedgerStep =>
    async (model, { ledger }) => {
      const postings = model.open.map(({ hold }) => samplePosting(hold, cost));
      for (const posting of postings) {
        model.open.shift();
        model.charge(posting.hold, cost);
        model.endedPostings.push(posting);
      }
      await Promise.all(postings.map((posting) => ledger.post(posting)));
    },
);

const voidStep = indexes.map(
  (index): LedgerStep =>
    async (model, { ledger }) => {
      const taken = model.takeOpen(index);
      if (!taken) return;
      await ledger.void(taken.hold);
      model.endedPostings.push(samplePosting(taken.hold, 1));
    },
);

/** Returns a cost that the hold covers. Which other holds outlive a crash differs from store to store. */
const coveredCost = ({ order, microcredits }: Hold, cost: number): number =>
  order.pays === 'purchased' ? Math.min(cost, microcredits) : cost;

const checkpointStep = fc.tuple(fc.boolean(), amounts).map(
  ([produced, cost]): LedgerStep =>
    async (model, { ledger }) => {
      const checkpoints = model.open.map((open) => {
        open.checkpoint = { posting: samplePosting(open.hold, coveredCost(open.hold, cost)), produced };
        return open.checkpoint;
      });
      await ledger.checkpoint(checkpoints);
    },
);

const giveStep = fc
  .record({
    kind: fc.constantFrom('grant' as const, 'purchase' as const, 'adjustment' as const),
    size: amounts,
  })
  .map(
    ({ kind, size }): LedgerStep =>
      async (model, { ledger }) => {
        const period = kind === 'grant' ? model.period.id : PURCHASED;
        const microcredits = kind === 'adjustment' ? -size : size;
        const isPossible = kind !== 'adjustment' || model.purchasedLeft() >= size;
        expect(await ledger.give(sampleEntry({ kind, period, microcredits }))).toBe(isPossible);
        if (isPossible) model.granted.add(period, microcredits);
      },
  );

/** Reverses a payment, also one whose credit is held or spent. */
const reverseStep = fc.integer({ min: 1, max: 700 }).map(
  (size): LedgerStep =>
    async (model, { ledger }) => {
      const entry = sampleEntry({ kind: 'adjustment', microcredits: -size });
      for (let times = 0; times < 2; times++) expect(await ledger.give(entry, { mayOwe: true })).toBe(true);
      model.granted.add(PURCHASED, -size);
      model.reversedMicrocredits += size;
    },
);

const renewStep = fc.integer({ min: -1, max: 2 }).map(
  (months): LedgerStep =>
    async (model, { ledger }) => {
      model.cycle = Math.max(1, model.cycle + months);
      await ledger.openPeriod('acct_1', model.period);
    },
);

/** Moves the clock forwards or backwards, over days and months. */
const jumpStep = fc.integer({ min: -40, max: 40 }).map(
  (days): LedgerStep =>
    async (model) => {
      model.at += days * DAY_MS;
    },
);

const setCapStep = fc.constantFrom(...CAPS).map(
  (cap): LedgerStep =>
    async (model) => {
      model.cap = cap;
    },
);

const byRequest = (one: ModelHold, other: ModelHold): number =>
  one.hold.order.requestId < other.hold.order.requestId ? -1 : 1;

/**
 * Simulates a crash. The first open requests were settled but not stored, so the spool has their postings.
 * The others are at their last checkpoint.
 */
const crashStep = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 3 }).map(
  (costs): LedgerStep =>
    async (model, tested) => {
      tested.ledger = (await tested.opened.reopen()).ledger;
      const spooled = model.open
        .slice(0, costs.length)
        .map(({ hold }, index) => samplePosting(hold, coveredCost(hold, costs[index]!)));
      const recovered = model.open.slice(costs.length).toSorted(byRequest);
      // An account in debt spends only what a request itself holds, so the other holds count until they end.
      const isInDebt = model.purchasedLeft() < 0;
      if (!isInDebt) model.open = [];
      model.endedPostings = [];
      const end = (ended: Hold, cost: number | undefined): void => {
        model.open = model.open.filter(({ hold }) => hold !== ended);
        if (cost !== undefined) model.charge(ended, cost, { isHeld: isInDebt });
      };
      for (const { hold, costMicrocredits } of spooled) end(hold, costMicrocredits);
      for (let times = 0; times < 2; times++) await tested.ledger.replay(spooled);
      for (const { hold, checkpoint } of recovered)
        end(hold, checkpoint?.produced ? checkpoint.posting.costMicrocredits : undefined);
      await tested.ledger.recoverHolds();
    },
);

const rareSteps = [
  endAgainStep,
  postAllStep,
  checkpointStep,
  reverseStep,
  renewStep,
  jumpStep,
  setCapStep,
  crashStep,
];

/** Any sequence of steps. */
export const ledgerSteps = fc.array(
  fc.oneof(
    { arbitrary: holdStep, weight: 6 },
    { arbitrary: postStep, weight: 4 },
    { arbitrary: voidStep, weight: 2 },
    { arbitrary: giveStep, weight: 3 },
    ...rareSteps.map((arbitrary) => ({ arbitrary, weight: 1 })),
  ),
  { maxLength: 40 },
);
