import { expect } from 'bun:test';
import fc from 'fast-check';
import { PURCHASED } from '../../../money/ledger/period.ts';
import { LedgerModel } from './ledger-model.ts';
import { CAPPED_KEY, CAPS, ledgerSteps, type TestedLedger, UNCAPPED_KEY } from './ledger-steps.ts';
import { sampleTime } from './sample-ledger.ts';
import { type OpenStore, storeTest } from './store-test.ts';

async function expectSums(model: LedgerModel, { ledger }: TestedLedger): Promise<void> {
  const { period, at } = model;
  const netPurchasedMicrocredits = model.granted.of(PURCHASED) - model.used.of(PURCHASED);
  const debtMicrocredits = Math.max(0, -model.purchasedLeft());
  expect(await ledger.balances('acct_1', period)).toEqual({
    usedMicrocredits: model.used.of(period.id),
    grantedMicrocredits: model.granted.of(period.id),
    purchasedMicrocredits: debtMicrocredits > 0 ? 0 : netPurchasedMicrocredits,
    debtMicrocredits,
    netPurchasedMicrocredits,
  });
  expect(debtMicrocredits).toBeLessThanOrEqual(model.reversedMicrocredits);
  expect(model.capLeft({ keyId: CAPPED_KEY, at }, Math.max(...CAPS))).toBeGreaterThanOrEqual(0);
  for (const keyId of [CAPPED_KEY, UNCAPPED_KEY])
    expect(await ledger.keySpent('acct_1', { keyId, at })).toBe(model.spentIn({ keyId, at }));
  expect(await ledger.tokensOn('acct_1', at)).toBe(model.tokensOn(at));
}

/** Usage reports must include the whole charge, also the part beyond a cap. */
async function expectCharges(model: LedgerModel, { ledger }: TestedLedger): Promise<void> {
  const sums = await ledger.sumUsage({ accountId: 'acct_1', from: 0, to: sampleTime * 2, by: 'key' });
  const charged = sums.filter(({ microcredits }) => microcredits > 0);
  expect(Object.fromEntries(charged.map(({ group, microcredits }) => [group, microcredits]))).toEqual(
    model.charged.positive(),
  );
  expect((await ledger.verifyAccount('acct_1')).faults).toEqual([]);
}

/** Runs random sequences of steps. A failing sequence is shortened and reported with its seed. */
export function describeLedgerModel(open: OpenStore, options: { runs: number; seed: number }): void {
  storeTest(open)(
    'any sequence of holds, postings, grants, reversals, renewals and crashes keeps every sum [CRD-03] [CRD-35] [CRD-36] [CRD-41] [CRD-53]',
    async () => {
      await fc.assert(
        fc.asyncProperty(ledgerSteps, async (steps) => {
          const opened = await open();
          const tested: TestedLedger = { opened, ledger: opened.store.ledger };
          try {
            const model = new LedgerModel();
            for (const step of steps) {
              await step(model, tested);
              await expectSums(model, tested);
            }
            await expectCharges(model, tested);
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
