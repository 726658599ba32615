import { newId } from '../../../base/lib/ids.ts';
import { DAY_MS } from '../../../base/lib/units.ts';
import type { Entry, Receipt } from '../../../money/ledger/entry.ts';
import type { Hold, HoldOrder, Shortage } from '../../../money/ledger/hold.ts';
import type { LedgerStore, Posting } from '../../../money/ledger/ledger-store.ts';
import { type Period, PURCHASED } from '../../../money/ledger/period.ts';

export const sampleTime = Date.UTC(2026, 0, 31, 12, 30);

export const samplePeriod = (fields: Partial<Period> = {}): Period => ({
  id: 'cycle-1',
  startedAt: sampleTime,
  endsAt: sampleTime + 28 * DAY_MS,
  limitMicrocredits: 1_000,
  ...fields,
});

export const sampleOrder = (fields: Partial<HoldOrder> = {}): HoldOrder => ({
  requestId: newId('req_'),
  accountId: 'acct_1',
  keyId: 'key_1',
  pays: 'monthly',
  period: samplePeriod(),
  keyCapMicrocredits: null,
  worst: null,
  tokensPerDay: null,
  at: sampleTime,
  ...fields,
});

export const sampleEntry = (fields: Partial<Entry> = {}): Entry => ({
  id: newId('ent_'),
  accountId: 'acct_1',
  at: sampleTime,
  kind: 'purchase',
  period: PURCHASED,
  microcredits: 1_000,
  receipt: null,
  reason: null,
  ...fields,
});

export const sampleReceipt = (fields: Partial<Receipt> = {}): Receipt => ({
  keyId: 'key_1',
  requestId: 'req_1',
  model: '@svc/test-small',
  servedModel: '@svc/test-small',
  tokens: { input: 7, cachedInput: 2, cacheWriteInput: 1, output: 3, reasoning: 1 },
  rates: { input: 500_000_000, cachedInput: 50_000_000, output: 2_000_000_000 },
  heldMicrocredits: 0,
  attempts: 1,
  tried: [{ provider: 'one', model: 'upstream-small', outcome: 'answered' }],
  outcome: 'complete',
  isEstimated: false,
  ...fields,
});

export const samplePosting = (
  hold: Hold,
  costMicrocredits: number,
  fields: Partial<Posting> = {},
): Posting => ({
  hold,
  costMicrocredits,
  receipt: sampleReceipt({
    keyId: hold.order.keyId,
    requestId: hold.order.requestId,
    heldMicrocredits: hold.microcredits,
    endpoint: '/v1/chat/completions',
    endedAt: hold.order.at + 1_500,
    outputCeiling: 8_192,
  }),
  ...fields,
});

export async function heldBy(ledger: LedgerStore, fields: Partial<HoldOrder> = {}): Promise<Hold> {
  const hold = await ledger.hold(sampleOrder(fields));
  if ('shortage' in hold) throw new Error(hold.shortage);
  return hold;
}

/** Returns the balances of the account of the samples. */
export const balancesOf = async (ledger: LedgerStore) => ledger.balances('acct_1', samplePeriod());

/** Verifies the account of the samples, and returns its faults. */
export const faultsOf = async (ledger: LedgerStore) => (await ledger.verifyAccount('acct_1')).faults;

export const shortageOf = (hold: Hold | Shortage): string | undefined =>
  'shortage' in hold ? hold.shortage : undefined;
