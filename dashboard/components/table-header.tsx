import { setQuery } from '../app/address.ts';
import { type Column, cellClass } from './column.ts';
import { Icon } from './icon.tsx';
import { directionOf } from './sort-rows.ts';

type TableHeaderProps<Row> = { column: Column<Row>; order: string; sortParam: string };

/** The header of a column. A press on the header of a sortable column sorts the rows. */
export function TableHeader<Row>({ column, order, sortParam }: TableHeaderProps<Row>) {
  const { key, header, sortValue, hidesHeader } = column;
  const direction = directionOf(key, order);
  // The first press shows the largest number, or the first letter.
  const isNextDown = column.isNumber ? direction !== 'descending' : direction === 'ascending';
  const next = isNextDown ? `-${key}` : key;
  return (
    <th scope="col" class={cellClass(column)} aria-sort={direction}>
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
