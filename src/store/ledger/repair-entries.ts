import type { Entry } from '../../money/ledger/entry.ts';
import type { RepairOrder } from '../../money/ledger/ledger-care.ts';
import { PURCHASED } from '../../money/ledger/period.ts';
import { type ChainedEntry, repairEntryId } from '../../money/ledger/repair-entry.ts';
import type { ExpectedRows } from './expected-rows.ts';

/** Returns the entry that accepts a damaged one. */
export const acceptingEntry = (order: RepairOrder, damaged: ChainedEntry): Entry =>
  adjustment(order, {
    id: repairEntryId(damaged),
    reason: `Repair: the entry ${damaged.id} is damaged, and stays as it is.`,
  });

export type StoredBucket = { period: string; granted: number; used: number };

/** Returns adjustments that preserve the stored balances. */
export function keepingBalances(
  order: RepairOrder,
  stored: readonly StoredBucket[],
  rows: ExpectedRows,
): Entry[] {
  const differences = new Map<string, number>();
  for (const { period, granted, used } of stored) differences.set(period, granted - used);
  for (const { key, values } of rows.of('bucket').values()) {
    const [granted, used] = values as [number, number];
    const period = String(key[0]);
    differences.set(period, (differences.get(period) ?? 0) - (granted - used));
  }
  return [...differences]
    .filter(([, microcredits]) => microcredits !== 0 && Number.isSafeInteger(microcredits))
    .map(([period, microcredits]) =>
      adjustment(order, {
        id: `ent_balance_${order.accountId}_${period}_${order.at}`,
        period,
        microcredits,
        reason: 'Repair: what is left stays as it was.',
      }),
    );
}

const adjustment = (
  { accountId, at }: RepairOrder,
  fields: Pick<Entry, 'id' | 'reason'> & Partial<Entry>,
): Entry => ({
  accountId,
  at,
  kind: 'adjustment',
  period: PURCHASED,
  microcredits: 0,
  receipt: null,
  ...fields,
});
