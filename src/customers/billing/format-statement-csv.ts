import { csvCell } from '../../base/lib/csv-cell.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { UsageSum } from '../../money/ledger/ledger-store.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { AccountStatement, StatementEntry } from './statements.ts';
import { unreadableNote } from './unreadable-note.ts';

const columns = ['time', 'kind', 'entry', 'model', 'balance', 'requests', 'credits', 'note'] as const;

/** A row by its columns. A column without a value is empty. */
type Row = Partial<Record<(typeof columns)[number], string | number>>;

/** Formats a statement as CSV (RFC 4180). */
export function formatStatementCsv(statement: AccountStatement): string {
  const { entries, usage, month, missingBefore, unreadable } = statement;
  const rows: Row[] = [...entries.map(entryRow), ...usage.map((sum) => usageRow(month, sum))];
  if (missingBefore !== null) rows.push(missingRow(missingBefore));
  if (unreadable > 0) rows.push({ time: month, kind: 'incomplete', note: unreadableNote(unreadable) });
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

const entryRow = ({ at, kind, id, balance, credits, reason }: StatementEntry): Row => ({
  time: at,
  kind,
  entry: id,
  balance,
  credits,
  note: reason ?? '',
});

const usageRow = (month: string, { group, requests, microcredits }: UsageSum): Row => ({
  time: month,
  kind: 'usage',
  model: group,
  requests,
  credits: -creditsOf(microcredits),
});

/** Returns a row that says from which time on the entries are listed. */
const missingRow = (missingBefore: number): Row => ({
  time: isoTime(missingBefore),
  kind: 'incomplete',
  note: 'The month has more entries than a statement shows. Earlier entries are not listed.',
});
