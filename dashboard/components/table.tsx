import type { ComponentChildren } from 'preact';
import { queryValue } from '../app/address.ts';
import { type Column, cellClass } from './column.ts';
import { Skeleton } from './skeleton.tsx';
import { sortRows } from './sort-rows.ts';
import { TableHeader } from './table-header.tsx';

export type TableProps<Row> = {
  /** Says what the rows are, to screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined until the rows are loaded. */
  rows: readonly Row[] | undefined;
  /** Returns the key of a row. The default is the `id`, which the rows of all other tables must have. */
  rowKey?: (row: Row) => string;
  /** Replaces the table if it has no rows. */
  empty?: ComponentChildren;
  /** The parameter of the address that keeps the order, for a second table on a page. */
  sortParam?: string;
  /** Rows of the skeleton. */
  expectedRows?: number;
  /** The columns fit on narrow screens, so that rows do not become cards. */
  isNarrow?: boolean;
  /** A last row with totals, by the keys of the columns. */
  totals?: Readonly<Record<string, ComponentChildren>>;
};

/** A table. Its order is in the address. On narrow screens each row becomes a card. */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey = (row) => (row as { id: string }).id,
  empty,
  sortParam = 'sort',
  expectedRows = 8,
  isNarrow = false,
  totals,
}: TableProps<Row>) {
  const order = queryValue(sortParam);
  if (rows === undefined) return <Skeleton lines={expectedRows} />;
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    // biome-ignore lint/a11y/useSemanticElements: it groups no fields
    <div class="table-scroll" role="group" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <TableHeader key={column.key} column={column} order={order} sortParam={sortParam} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, columns, order).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} isNarrow={isNarrow} />
              ))}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td
                  key={column.key}
                  class={cellClass(column)}
                  data-label={column.hidesHeader ? undefined : column.header}
                >
                  {totals[column.key]}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

type CellProps<Row> = { column: Column<Row>; row: Row; isNarrow: boolean };

function Cell<Row>({ column, row, isNarrow }: CellProps<Row>) {
  const Tag = column.isRowHeader ? 'th' : 'td';
  return (
    <Tag
      scope={column.isRowHeader ? 'row' : undefined}
      class={cellClass(column)}
      data-label={isNarrow || column.hidesHeader ? undefined : column.header}
    >
      {contentOf(column.cell(row))}
    </Tag>
  );
}

/**
 * On narrow screens a cell has two columns, its label and its content.
 * So several parts of a content stay together.
 */
const contentOf = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'object' && content !== null ? <div class="cell">{content}</div> : content;
