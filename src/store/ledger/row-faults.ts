import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import type { LedgerFault } from '../../money/ledger/ledger-fault.ts';
import type { DerivedTable } from './derived-table.ts';
import { type ExpectedRows, keyName, type Value } from './expected-rows.ts';
import { rowName } from './row-name.ts';

const LATEST_MS = 8.64e15;

export type ComparedRow = {
  accountId: string;
  table: DerivedTable;
  key: readonly Value[];
  /** The stored row, or undefined if there is none. */
  row: Readonly<Record<string, unknown>> | undefined;
  /** The names of rows of zeros that nothing explains. */
  strays: ReadonlySet<string>;
};

/** Returns the differences between a stored row and its expected values. */
export function rowFaults(
  { accountId, table, key, row, strays }: ComparedRow,
  rows: ExpectedRows,
): LedgerFault[] {
  const expected = rows.of(table.name).get(keyName(key))?.values;
  const fault = (column: string, recorded: Value, recomputed: Value): LedgerFault => ({
    accountId,
    what: [column, 'of', table.name, ...key.map((part, index) => textOf(table.key[index]!, part))].join(' '),
    recorded,
    recomputed,
  });
  if (!row)
    return expected && !(table.omitsZeros && isEmpty(table, expected))
      ? [fault('row', 'none', expected.join(', '))]
      : [];
  if (!expected) {
    const recorded = table.values.map((column) => row[column] as Value);
    const isFine = isEmpty(table, recorded) && !strays.has(rowName(table.name, key));
    return isFine ? [] : [fault('row', recorded.join(', '), 'none')];
  }
  return table.values.flatMap((column, index) =>
    row[column] === expected[index] ? [] : [fault(column, row[column] as Value, expected[index]!)],
  );
}

const isEmpty = ({ hasZeros = false }: DerivedTable, values: readonly Value[]): boolean =>
  hasZeros && values.every((value) => value === 0 || value === '');

const startOf = (ms: number, length: number): string => new Date(ms).toISOString().slice(0, length);

/** Formats a value for an operator. */
function textOf(column: string, part: Value): string {
  if (column === 'hour' && isTime(part, HOUR_MS)) return startOf(part * HOUR_MS, 13);
  if (column === 'month' && isTime(part, 1)) return startOf(part, 7);
  if (column === 'day' && isTime(part, DAY_MS)) return startOf(part * DAY_MS, 10);
  return String(part);
}

const isTime = (part: Value, unitMs: number): part is number =>
  typeof part === 'number' && Math.abs(part) <= LATEST_MS / unitMs;
