import type { AuditEntry } from '../../../money/accounts/audit.ts';
import type { Entry } from '../../../money/ledger/entry.ts';
import type { SpendWatch } from '../../../money/ledger/spend-watch.ts';
import type { GroupCommitWriter } from '../group-commit-writer.ts';
import { sqliteForms } from '../sqlite-forms.ts';
import { runSteps } from '../sqlite-queries.ts';
import { addEntry } from './chain.ts';
import { EntryWrite } from './entry-write.ts';
import type { OpenBook } from './open-book.ts';

type GivenEntry = {
  book: OpenBook;
  entry: Entry;
  audit: AuditEntry | undefined;
  watch: SpendWatch | undefined;
};

/**
 * Writes an entry that gives credit to an account or takes credit from it.
 * Amounts taken are deducted immediately. Amounts given count once they are written.
 */
export async function giveCredit(
  writer: GroupCommitWriter,
  { book, entry, audit, watch }: GivenEntry,
): Promise<true> {
  const { accountId, period, microcredits } = entry;
  const bucket = book.balances.bucket(period);
  bucket[microcredits < 0 ? 'granted' : 'coming'] += microcredits;
  book.uses += 1;
  try {
    const write = new EntryWrite(book, (connection) => {
      const added = addEntry(connection, book, entry);
      if (audit && added.length > 0) runSteps(connection, sqliteForms.audit.record(audit));
      return added;
    });
    await writer.change(write);
    const isNew = write.entries.length > 0;
    if (isNew === microcredits > 0) bucket.granted += isNew ? microcredits : -microcredits;
    if (isNew && entry.kind === 'purchase') watch?.purchased(accountId, bucket.granted - bucket.used);
    return true;
  } catch (error) {
    if (microcredits < 0) bucket.granted -= microcredits;
    throw error;
  } finally {
    if (microcredits > 0) bucket.coming -= microcredits;
    book.uses -= 1;
  }
}
