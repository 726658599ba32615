import type { ComponentChildren } from 'preact';

/** A column of a table. `columns.tsx` makes the usual kinds. */
export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end, with figures of equal widths. */
  isNumber?: boolean;
  /** Makes the column sortable by this value. */
  sortValue?: (row: Row) => string | number | null;
  /** Names the row, for screen readers. */
  isRowHeader?: boolean;
  /** The column is left out on narrow screens. */
  isMinor?: boolean;
  /** The header is for screen readers alone, as for a column of buttons. */
  hidesHeader?: boolean;
};

/** Returns the classes of the cells of a column. */
export const cellClass = <Row>({ isNumber, isMinor }: Column<Row>): string | undefined =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;
