import { csvCell } from '../../base/lib/csv-cell.ts';
import { creditsOf } from '../../money/ledger/microcredits.ts';
import type { AccountStatement } from './statement.ts';

/** Formats a statement as CSV (RFC 4180). */
export function formatStatementCsv({ entries, usage, month }: AccountStatement): string {
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
  ];
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}
