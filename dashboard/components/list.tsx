import type { ComponentChildren } from 'preact';
import { queryValue } from '../app/address.ts';
import type { Query } from '../app/use-query.ts';
import type { Column } from './column.ts';
import { Loaded } from './loaded.tsx';
import { Pagination } from './pagination.tsx';
import { Skeleton } from './skeleton.tsx';
import { Table, type TableProps } from './table.tsx';

/** One page of a list of the API. The cursor of the next page is `next`, or the id of the last row. */
export type ListAnswer<Row> = {
  data: readonly Row[];
  has_more?: boolean;
  last_id?: string | null;
  next?: string | null;
};

/** The properties of a list, without its rows. */
export type ListTableProps<Row, Answer extends ListAnswer<Row>> = Omit<TableProps<Row>, 'rows' | 'empty'> & {
  /** Replaces the table if it has no rows. */
  empty?: ComponentChildren | ((answer: Answer) => ComponentChildren);
  /** Renders what the page shows above the table. */
  above?: ((answer: Answer) => ComponentChildren) | undefined;
  /** The parameter of the address that keeps the cursor, for a second list on a page. */
  cursorParam?: string;
};

type ListProps<Row, Answer extends ListAnswer<Row>> = ListTableProps<Row, Answer> & { query: Query<Answer> };

/** A table with the rows of an answer, its states before and after a failure, and the links to its pages. */
export const List = <Row, Answer extends ListAnswer<Row>>({
  query,
  empty,
  above,
  cursorParam,
  expectedRows = 6,
  columns,
  ...table
}: ListProps<Row, Answer>) => (
  <>
    <Loaded query={query} skeleton={<Skeleton lines={expectedRows} />}>
      {(answer) => (
        <>
          {above?.(answer)}
          <Table
            {...table}
            columns={isWhole(answer, cursorParam) ? columns : columns.map(unsorted)}
            rows={answer.data}
            empty={typeof empty === 'function' ? empty(answer) : empty}
          />
          <Pagination next={nextOf(answer)} param={cursorParam} />
        </>
      )}
    </Loaded>
    {/* The entry that the cursor names can be gone. */}
    {query.data === undefined && query.problem && <Pagination next={null} param={cursorParam} />}
  </>
);

/** Reports whether an answer has all rows of its list. */
const isWhole = <Row,>(answer: ListAnswer<Row>, cursorParam = 'after'): boolean =>
  !nextOf(answer) && queryValue(cursorParam) === '';

/** Returns a column that sorts nothing. The rows of one page in another order are not a sorted list. */
const unsorted = <Row,>({ sortValue: _, ...column }: Column<Row>): Column<Row> => column;

/** Returns the cursor of the next page. An answer with `has_more` and no `last_id` has rows with ids. */
function nextOf<Row>({ data, has_more, last_id, next }: ListAnswer<Row>): string | null | undefined {
  if (!has_more) return next;
  const lastRow = data.at(-1) as { id: string } | undefined;
  return last_id ?? lastRow?.id;
}
