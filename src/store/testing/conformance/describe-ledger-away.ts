import { expect } from 'bun:test';
import type { ClaimedItem } from '../../../batches/stored/batch.ts';
import type { Hold } from '../../../money/ledger/hold.ts';
import type { HoldCheckpoint, LedgerStore } from '../../../money/ledger/ledger-store.ts';
import { claimed, madeBatch, sampleSubmission } from './sample-batches.ts';
import { heldBy, sampleOrder, samplePosting, sampleTime, shortageOf } from './sample-ledger.ts';
import type { StoreTest } from './store-test.ts';

const capped = { keyCapMicrocredits: 1_000 };
const worst = { least: 500, most: 500 };

/** Holds credit for an item, and saves the hold before the item goes to a provider. */
async function checkpointAway(
  ledger: LedgerStore,
  { requestId, lease }: ClaimedItem,
): Promise<HoldCheckpoint> {
  const hold = await heldBy(ledger, { ...capped, requestId, worst: { least: 300, most: 300 } });
  const away = { batch: lease.batch, number: lease.number };
  return { posting: samplePosting(hold, 0), produced: false, away };
}

/** Describes tests of holds for items at providers, which outlive the process. */
export function describeLedgerAway(test: StoreTest): void {
  test('holds of items at providers are posted once after a restart', async ({ store, reopen }) => {
    const batch = await madeBatch(store.batches, { isNative: true });
    const items = await claimed(store.batches, batch);
    const known = sampleSubmission(batch.sequence);
    // The last item is not at a provider.
    await store.batches.createSubmission(known, [items[0]!.lease, items[1]!.lease]);
    await store.ledger.checkpoint(await Promise.all(items.map((item) => checkpointAway(store.ledger, item))));
    const { ledger, batches } = await reopen();
    await batches.recoverBatches();
    expect(await ledger.recoverHolds()).toEqual({ billed: 0, voided: 1 });
    expect(shortageOf(await ledger.hold(sampleOrder({ ...capped, worst })))).toBe('key-cap-reached');
    const reclaimed = (by: LedgerStore) =>
      Promise.all(items.map(async ({ requestId }) => by.reclaim(requestId)));
    const [first, second] = await reclaimed(ledger);
    const nothing = items.map(() => undefined);
    expect(await reclaimed(ledger)).toEqual(nothing);
    await ledger.post(samplePosting(first!.hold, 300));
    expect(await ledger.keySpent('acct_1', { keyId: 'key_1', at: sampleTime })).toBe(300);
    await ledger.void(second!.hold);
    const held = await ledger.hold(sampleOrder({ ...capped, worst }));
    expect(held).toMatchObject({ microcredits: 500 });
    await ledger.void(held as Hold);
    const again = await reopen();
    expect(await again.ledger.recoverHolds()).toEqual({ billed: 0, voided: 0 });
    expect(await reclaimed(again.ledger)).toEqual(nothing);
    expect((await again.ledger.verifyAccount('acct_1')).faults).toEqual([]);
  });

  test('restores the hold of an item even if it no longer fits, until it is reclaimed or voided', async ({
    store,
    reopen,
  }) => {
    const batch = await madeBatch(store.batches, { isNative: true, size: 1 });
    const [item] = await claimed(store.batches, batch);
    const submission = sampleSubmission(batch.sequence, { upstreamId: 'x' });
    await store.batches.createSubmission(submission, [item!.lease]);
    await store.ledger.checkpoint([await checkpointAway(store.ledger, item!)]);
    await store.ledger.post(samplePosting(await heldBy(store.ledger), 900));
    const { ledger } = await reopen();
    expect(await ledger.recoverHolds()).toEqual({ billed: 0, voided: 0 });
    const small = sampleOrder({ ...capped, worst: { least: 50, most: 50 } });
    expect(shortageOf(await ledger.hold(small))).toBe('key-cap-reached');
    await ledger.voidUnclaimed(batch.sequence + 1);
    expect(shortageOf(await ledger.hold(small))).toBe('key-cap-reached');
    await ledger.voidUnclaimed(batch.sequence);
    expect(await ledger.hold(small)).toMatchObject({ microcredits: 50 });
    expect(await ledger.reclaim(item!.requestId)).toBeUndefined();
  });
}
