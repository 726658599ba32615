import { faultCount } from './fault-count.ts';
import type { ArchivedEntries, LedgerCare } from './ledger-care.ts';
import { verifyLedger } from './verify-ledger.ts';

/** `problem` is the reason why nothing was moved. */
type ArchiveOutcome = ArchivedEntries | { problem: string };

/**
 * Moves entries from before a time into compressed segments.
 * A ledger with faults is left as it is, since a repair needs its rows.
 */
export async function archiveLedger(ledger: LedgerCare, before: number): Promise<ArchiveOutcome> {
  const verified = await verifyLedger(ledger);
  if (verified.faults.length > 0)
    return {
      problem: `The ledger has ${faultCount(verified)}, and nothing was moved. List them with tollgate ledger verify.`,
    };
  return (await ledger.archiveEntries({ before })) ?? { problem: 'Another archive is under way.' };
}
