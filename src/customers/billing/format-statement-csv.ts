import { csvCell } from '../../base/lib/csv-cell.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { AccountStatement } from './statement.ts';

/** Formats a statement as CSV (RFC 4180). */
export function formatStatementCsv({ entries, usage, month, missingBefore }: AccountStatement): string {
  const lines = [
    ['time', 'kind', 'entry', 'model', 'balance', 'requests', 'credits', 'note'],
    ...entries.map(({ at, kind, id, balance, credits, reason }) => [
      at,
      kind,
      id,
      '',
      balance,
      '',
      credits,
      reason ?? '',
    ]),
    ...usage.map(({ group, requests, microcredits }) => [
      month,
      'usage',
      '',
      group,
      '',
      requests,
      -creditsOf(microcredits),
      '',
    ]),
    ...(missingBefore === null ? [] : [missingRow(missingBefore)]),
  ];
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}

/** Returns a row that says from which time on the entries are listed. */
const missingRow = (missingBefore: number): string[] => [
  isoTime(missingBefore),
  'incomplete',
  ...['', '', '', '', ''],
  'The account has more entries than a statement reads. Earlier entries are not listed.',
];
