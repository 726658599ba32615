import { newId } from '../../../base/lib/ids.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { Submission } from '../../../batches/native/native-store.ts';
import type { Batch, ClaimedItem, NewItem } from '../../../batches/stored/batch.ts';
import type { BatchStore } from '../../../batches/stored/batch-store.ts';

export const NOW = Date.UTC(2026, 0, 31);

export const sampleBatch = (fields: Partial<Batch> = {}): Batch => ({
  id: newId('batch_'),
  collection: 'chat',
  accountId: 'acct_1',
  keyId: 'key_1',
  mode: 'standard',
  isNative: false,
  host: 'localhost',
  size: 3,
  createdAt: NOW,
  expiresAt: NOW + DAY_MS,
  deadlineAt: NOW + DAY_MS - 1_000,
  cancelInitiatedAt: null,
  protocolVersion: '2026-10-21',
  endedAt: null,
  ...fields,
});

export const sampleItems = (count: number): NewItem[] =>
  Array.from({ length: count }, (_, number) => ({
    customId: `item-${number}`,
    requestId: newId('req_'),
    params: `{"model": "m${number}"}`,
  }));

/** Makes a submission that has no answer yet. */
export const sampleSubmission = (batch: number, fields: Partial<Submission> = {}): Submission => ({
  batch,
  provider: 'one',
  wire: 'openai-chat',
  upstreamModel: 'model',
  upstreamId: null,
  mark: 'mark',
  sentAt: NOW,
  size: 1,
  ...fields,
});

/** Stages a batch without a quota. */
export const staged = async (batches: BatchStore, batch: Batch): Promise<number> =>
  (await batches.stageBatch(batch, { bytes: 1_000, quota: null }))!;

export type MadeBatch = Batch & { sequence: number };

/** Creates a complete batch. */
export async function madeBatch(batches: BatchStore, fields: Partial<Batch> = {}): Promise<MadeBatch> {
  const batch = sampleBatch(fields);
  const sequence = await staged(batches, batch);
  await batches.stageItems(sequence, 0, sampleItems(batch.size));
  await batches.openBatch(sequence);
  return { ...batch, sequence };
}

export type ClaimFields = { limit?: number; now?: number; leaseMs?: number };

/** Claims items of one batch for a minute. */
export async function claimed(
  batches: BatchStore,
  { sequence }: { sequence: number },
  { limit = 10, now = NOW, leaseMs = 60_000 }: ClaimFields = {},
): Promise<ClaimedItem[]> {
  const leaseUntil = now + leaseMs;
  const claim = { asks: [{ sequence, limit, leaseUntil }], now, leaseUntil, renewed: [] };
  return (await batches.claimItems(claim))[0]!.items;
}
