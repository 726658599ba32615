import type { LedgerFault } from '../../../money/ledger/ledger-fault.ts';
import { StoreProblem } from '../../store-problem.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import type { LedgerArchive } from './ledger-archive.ts';
import { type Segment, selectSegments } from './segments.ts';

/**
 * Compares each file of the archive with its record.
 * The caller's verification of the accounts reads the entries.
 */
export async function verifySegments(
  connection: SqliteConnection,
  archive: LedgerArchive,
): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const report = (what: string, recorded: string | number, recomputed: string | number) =>
    faults.push({ accountId: null, what, recorded, recomputed });
  const recorded = selectSegments(connection);
  if (recorded.length !== archive.segments.length)
    report('files of the archive', recorded.length, archive.segments.length);
  let behind = 0;
  for (const { isIntact, ...segment } of recorded) {
    const { file, first, last, sha256 } = segment;
    if (!isIntact) report(`seal of ledger_segment ${file}`, 'broken', 'whole');
    if (first !== behind + 1) report(`first entry of ${file}`, first, behind + 1);
    behind = last;
    const found = await digestOf(archive, segment);
    if (found !== sha256) report(`content of ${file}`, sha256, found);
  }
  return faults;
}

async function digestOf(archive: LedgerArchive, segment: Segment): Promise<string> {
  try {
    return await archive.fileOf(segment).sha256();
  } catch (error) {
    if (error instanceof StoreProblem) return 'unreadable';
    throw error;
  }
}
