import { escapeHtml } from '../../base/lib/escape-html.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { creditsOf, microcreditsOfCredits, usdOf } from '../../money/ledger/microcredits.ts';
import type { AccountStatement, StatementEntry } from './statements.ts';
import { unreadableNote } from './unreadable-note.ts';

type Cell = string | number | null;

/** The names of the kinds of entries. */
const kindNames: Readonly<Record<StatementEntry['kind'], string>> = {
  purchase: 'Purchase',
  grant: 'Grant',
  adjustment: 'Adjustment',
  renewal: 'Renewal of the plan',
};

/** Formats a statement as a page for printing. It has no script, and its style is in a sheet of its own. */
export function formatStatementPage(statement: AccountStatement, issuer: string): string {
  const { accountName, accountId, month, from, to, entries, usage, missingBefore, unreadable } = statement;
  const used = usage.reduce((sum, { microcredits }) => sum + microcredits, 0);
  const bought = entries.filter(({ kind }) => kind === 'purchase');
  const paid = bought.reduce((sum, { credits }) => sum + credits, 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Statement ${escapeHtml(month)} – ${escapeHtml(accountName)}</title>
<link rel="stylesheet" href="/dashboard/v1/statement.css">
</head>
<body>
<header><h1>Statement ${escapeHtml(month)}</h1><p>${escapeHtml(issuer)}</p></header>
<dl>
<dt>Account</dt><dd>${escapeHtml(accountName)} (${escapeHtml(accountId)})</dd>
<dt>Period</dt><dd>${isoTime(from).slice(0, 10)} to ${isoTime(to - 1).slice(0, 10)} (UTC)</dd>
<dt>Credit bought</dt><dd>${formatNumber(paid)} credits for ${formatNumber(usdOf(microcreditsOfCredits(paid)))} USD</dd>
<dt>Usage</dt><dd>${formatNumber(creditsOf(used))} credits (${formatNumber(usdOf(used))} USD at list prices)</dd>
</dl>
<h2>Entries</h2>
${missingBefore === null ? '' : missingNote(missingBefore)}
${unreadable === 0 ? '' : `<p>${unreadableNote(unreadable)}</p>`}
${entriesTable(entries)}
<h2>Usage by model</h2>
${usageTable(usage)}
</body>
</html>
`;
}

const missingNote = (missingBefore: number): string =>
  `<p>The month has more entries than a statement shows. Entries before ${isoTime(missingBefore)} are not listed, and not part of the credit bought. The sums of usage are complete.</p>`;

function entriesTable(entries: AccountStatement['entries']): string {
  const rows = entries.map(({ at, kind, id, balance, reason, credits }) => {
    const time = at.slice(0, 'YYYY-MM-DDThh:mm'.length).replace('T', ' ');
    return [time, `${kindNames[kind]} ${id}`, balance, reason ?? '', credits];
  });
  return table(['Time (UTC)', 'Entry', 'Balance', 'Note', 'Credits'], rows);
}

function usageTable(usage: AccountStatement['usage']): string {
  const rows = usage.map((sum) => {
    const { group, requests, inputTokens, outputTokens, microcredits } = sum;
    return [group, requests, inputTokens, outputTokens, creditsOf(microcredits)];
  });
  return table(['Model', 'Requests', 'Input tokens', 'Output tokens', 'Credits'], rows);
}

function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const numeric = heads.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (cells: readonly Cell[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell, column) => cellOf(cell, tag, numeric[column]!)).join('')}</tr>`;
  return `<table><thead>${line(heads, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('\n')}</tbody></table>`;
}

const cellOf = (cell: Cell, tag: 'th' | 'td', isNumeric: boolean): string =>
  `<${tag}${tag === 'th' ? ' scope="col"' : ''}${isNumeric ? ' class="n"' : ''}>${
    typeof cell === 'number' ? formatNumber(cell) : escapeHtml(cell ?? '')
  }</${tag}>`;

let numberFormat: Intl.NumberFormat | undefined;
/** Making a format takes 100 µs, and a statement has thousands of numbers. */
function formatNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });
  return numberFormat.format(value);
}
