import type { Column } from './column.ts';

type SortDirection = 'ascending' | 'descending';

/** Returns the direction in which an order of the address sorts a column: `key`, or `-key`. */
export function directionOf(key: string, order: string): SortDirection | undefined {
  if (order === `-${key}`) return 'descending';
  return order === key ? 'ascending' : undefined;
}

/** Sorts the rows by the order of the address. Without one they stay as the server sent them. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: string,
): readonly Row[] {
  const sortValue = columns.find(({ key }) => key === order.replace(/^-/, ''))?.sortValue;
  if (!sortValue) return rows;
  const sign = order.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(sortValue(a), sortValue(b)));
}

/** Null comes first. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b);
}
