import { newId } from '../../../../base/lib/ids.ts';
import type { Entry } from '../../../../money/ledger/entry.ts';
import { usageEntryId } from '../../../../money/ledger/entry-id.ts';
import { sampleEntry, sampleReceipt } from '../../../testing/conformance/sample-ledger.ts';

export type SampleUsage = Partial<Pick<Entry, 'accountId' | 'at' | 'period' | 'microcredits'>> & {
  requestId?: string;
  keyId?: string;
  beyondCapMicrocredits?: number;
};

/** Returns a usage entry. Its charge must not exceed the cost of its ten tokens. */
export function sampleUsage({
  requestId = newId('req_'),
  keyId = 'key_1',
  beyondCapMicrocredits,
  ...fields
}: SampleUsage = {}): Entry {
  return sampleEntry({
    id: usageEntryId(requestId),
    kind: 'usage',
    period: 'cycle-1',
    microcredits: 10,
    receipt: sampleReceipt({ requestId, keyId, ...(beyondCapMicrocredits && { beyondCapMicrocredits }) }),
    ...fields,
  });
}

export const sampleUsages = (count: number): Entry[] => Array.from({ length: count }, () => sampleUsage());
