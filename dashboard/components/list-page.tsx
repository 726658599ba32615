import type { ComponentChildren } from 'preact';
import type { EventTopic } from '../../src/console/dashboard/event-topics.ts';
import { type QueryChanges, queryValue, withParameters } from '../app/address.ts';
import { useQuery } from '../app/use-query.ts';
import { ChoiceFilter, Filters, TextFilter } from './filters.tsx';
import { List, type ListAnswer, type ListTableProps } from './list.tsx';
import { LiveStatus } from './live-status.tsx';
import { PageHeader, type PageHeaderProps } from './page-header.tsx';
import type { Option } from './select.tsx';

/**
 * A parameter of the address and of the API. A filter with options is a choice, whose options can depend on
 * the latest answer.
 */
export type Filter<Answer> =
  | {
      param: string;
      label: string;
      placeholder?: string;
      options?: readonly Option[] | ((answer: Answer | undefined) => readonly Option[]);
    }
  /** A custom control that changes the address itself. */
  | { param: string; control: ComponentChildren };

type ListPageProps<Row, Answer extends ListAnswer<Row>> = Omit<PageHeaderProps, 'lead'> &
  ListTableProps<Row, Answer> & {
    lead: ComponentChildren | ((answer: Answer | undefined) => ComponentChildren);
    /** The list in the dashboard's API, without parameters. */
    path: string | null;
    filters?: readonly Filter<Answer>[];
    /** Parameters of the API in addition to the filters, or in place of them. */
    parameters?: QueryChanges;
    pollMs?: number;
    /** The list follows events of this topic while its first page is shown. */
    follows?: EventTopic;
    /** Content between the filters and the list. */
    children?: ComponentChildren;
  };

/** A page with one list: its title, its filters, its rows and its pages. The address keeps the filters. */
export function ListPage<Row, Answer extends ListAnswer<Row>>({
  title,
  lead,
  actions,
  back,
  path,
  filters = [],
  parameters,
  pollMs,
  follows,
  children,
  ...list
}: ListPageProps<Row, Answer>) {
  const values = Object.fromEntries(
    [...filters, { param: 'after' }].map(({ param }) => [param, queryValue(param)]),
  );
  const isFirst = queryValue('after') === '';
  // A list that follows events shows new rows on its first page only.
  const updates = isFirst || follows === undefined ? { pollMs, follows } : {};
  const query = useQuery<Answer>(path && withParameters(path, { ...values, ...parameters }), {
    ...updates,
    hasMovingSpan: true,
  });
  return (
    <>
      <PageHeader
        title={title}
        lead={typeof lead === 'function' ? lead(query.data) : lead}
        actions={follows === undefined ? actions : [isFirst && <LiveStatus key="live" />, actions]}
        back={back}
      />
      {filters.length > 0 && (
        <Filters>
          {filters.map((filter) => (
            <FilterControl key={filter.param} filter={filter} answer={query.data} />
          ))}
        </Filters>
      )}
      {children}
      {/* TypeScript does not know what remains of a generic type. */}
      <List {...(list as ListTableProps<Row, Answer>)} query={query} />
    </>
  );
}

function FilterControl<Answer>({ filter, answer }: { filter: Filter<Answer>; answer: Answer | undefined }) {
  if ('control' in filter) return <>{filter.control}</>;
  const { options, ...field } = filter;
  if (options === undefined) return <TextFilter {...field} />;
  return <ChoiceFilter {...field} options={typeof options === 'function' ? options(answer) : options} />;
}
