import type { ComponentChildren } from 'preact';
import { queryValue, setQuery } from '../app/address.ts';
import { Icon } from './icon.tsx';
import { Skeleton } from './skeleton.tsx';

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

export type TableProps<Row> = {
  /** Says what the rows are, to screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** It is undefined until they are loaded. */
  rows: readonly Row[] | undefined;
  /** Returns the key of a row. The default is their `id`. */
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
              <Header key={column.key} column={column} order={order} sortParam={sortParam} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, order).map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => {
                const Cell = column.isRowHeader ? 'th' : 'td';
                return (
                  <Cell
                    key={column.key}
                    scope={column.isRowHeader ? 'row' : undefined}
                    class={classOf(column)}
                    data-label={isNarrow || column.hidesHeader ? undefined : column.header}
                  >
                    {contentOf(column.cell(row))}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            <tr>
              {columns.map((column) => (
                <td
                  key={column.key}
                  class={classOf(column)}
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

/**
 * On narrow screens a cell has two columns, its label and its content.
 * So several parts of a content stay together.
 */
const contentOf = (content: ComponentChildren): ComponentChildren =>
  typeof content === 'object' && content !== null ? <div class="cell">{content}</div> : content;

const classOf = ({ isNumber, isMinor }: { isNumber?: boolean; isMinor?: boolean }): string | undefined =>
  [isNumber && 'number', isMinor && 'minor'].filter(Boolean).join(' ') || undefined;

type HeaderProps<Row> = { column: Column<Row>; order: string; sortParam: string };

function Header<Row>({ column, order, sortParam }: HeaderProps<Row>) {
  const { key, header, sortValue, hidesHeader } = column;
  const direction = directionOf(key, order);
  // The first press shows the largest number, or the first letter.
  const isNextDown = column.isNumber ? direction !== 'descending' : direction === 'ascending';
  const next = isNextDown ? `-${key}` : key;
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction}>
      {sortValue ? (
        <button type="button" class="sort" onClick={() => setQuery({ [sortParam]: next })}>
          {header}
          {direction && <Icon name={direction === 'descending' ? 'down' : 'up'} />}
        </button>
      ) : (
        <span class={hidesHeader ? 'hidden' : undefined}>{header}</span>
      )}
    </th>
  );
}

function directionOf(key: string, order: string): 'descending' | 'ascending' | undefined {
  if (order === `-${key}`) return 'descending';
  return order === key ? 'ascending' : undefined;
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: string): readonly Row[] {
  const sortValue = columns.find(({ key }) => key === order.replace(/^-/, ''))?.sortValue;
  if (!sortValue) return rows;
  const direction = order.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => direction * compare(sortValue(a), sortValue(b)));
}

/** Null comes first. */
function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b);
}
