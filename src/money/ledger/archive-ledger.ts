import type { ArchivedEntries, LedgerCare } from './ledger-store.ts';
import { verifyLedger } from './verify-ledger.ts';

/** `problem` is the reason why nothing was moved. */
export type ArchiveOutcome = ArchivedEntries | { problem: string };

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * Returns the start of a month such as `2026-10` in UTC.
 * Returns undefined for other texts, or if the month before it is not over.
 */
export function closedBefore(month: string, now: number): number | undefined {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined) return undefined;
  const start = Date.UTC(Number(year), Number(number) - 1);
  return start <= now ? start : undefined;
}

/**
 * Moves entries from before a time into compressed segments.
 * A ledger with faults is left as it is, since a repair needs its rows.
 */
export async function archiveLedger(ledger: LedgerCare, before: number): Promise<ArchiveOutcome> {
  const { faults } = await verifyLedger(ledger);
  if (faults.length > 0)
    return {
      problem: `The ledger has ${faults.length} faults, and nothing was moved. List them with tollgate ledger verify.`,
    };
  return (await ledger.archiveEntries({ before })) ?? { problem: 'Another archive is under way.' };
}

/** Shows the result of an archive in the form of the admin API and the command line. */
export const archiveView = (before: string, { entries, segments, bytes }: ArchivedEntries) => ({
  before,
  entries,
  segments,
  bytes,
});
