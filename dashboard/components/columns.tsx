import type { ComponentChildren } from 'preact';
import type { Column } from './column.ts';
import { Time } from './time.tsx';

type Cell<Row> = (row: Row) => ComponentChildren;

/** Makes a column of texts. The key is in the address if the table is sorted by this column. */
export const textColumn = <Row,>(key: string, header: string, cell: Cell<Row>): Column<Row> => ({
  key,
  header,
  cell,
});

/** Makes a column of texts that name the rows. */
export const headerColumn = <Row,>(key: string, header: string, cell: Cell<Row>): Column<Row> => ({
  ...textColumn(key, header, cell),
  isRowHeader: true,
});

/** Makes a column of numbers, at the end of their cells and with figures of equal widths. */
export const numberColumn = <Row,>(key: string, header: string, cell: Cell<Row>): Column<Row> => ({
  ...textColumn(key, header, cell),
  isNumber: true,
});

/** Makes a column of times relative to now. */
export const timeColumn = <Row,>(
  key: string,
  header: string,
  timeOf: (row: Row) => string | null,
): Column<Row> => textColumn(key, header, (row) => <Time at={timeOf(row)} isRelative />);

/** A column of buttons or links. Its header is for screen readers alone. */
export const buttonColumn = <Row,>(key: string, header: string, cell: Cell<Row>): Column<Row> => ({
  ...textColumn(key, header, cell),
  hidesHeader: true,
});

/** Leaves a column out on narrow screens. */
export const minor = <Row,>(column: Column<Row>): Column<Row> => ({ ...column, isMinor: true });

/** Makes a column sortable by a value. */
export const sortedBy = <Row,>(
  sortValue: (row: Row) => string | number | null,
  column: Column<Row>,
): Column<Row> => ({ ...column, sortValue });
