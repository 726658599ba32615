import { recordOf } from '../../../src/base/lib/records.ts';
import type { TrafficColumn } from '../../../src/watch/traffic/traffic-figures.ts';
import { queryValue, setQuery, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { filterOptions } from '../../components/filter-options.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { SpanFilter, trafficSpan } from '../../components/traffic-span.tsx';
import { OPERATOR } from './operator-api.ts';
import { requestSources } from './request-sources.ts';
import { requestsHref } from './requests-href.ts';
import type { Traffic } from './rows.ts';
import { TrafficChart } from './traffic-chart.tsx';
import { TrafficGroups } from './traffic-groups.tsx';
import { TrafficTotals } from './traffic-totals.tsx';

const POLL_MS = 15_000;

/** The columns that a text filters. */
const textColumns = [
  'provider',
  'model',
  'account',
  'key',
  'node',
] as const satisfies readonly TrafficColumn[];
/** The columns in the order of the choice of groups. */
const columns = [
  'provider',
  'model',
  'account',
  'key',
  'status',
  'node',
  'source',
] as const satisfies readonly TrafficColumn[];

const placeholders: Readonly<Record<(typeof textColumns)[number], string>> = {
  provider: 'Any provider',
  model: 'Any model',
  account: 'acct_…',
  key: 'key_…',
  node: 'node_…',
};

const statusClasses = ['2xx', '4xx', '5xx'] as const;

/** Shows the traffic of the whole installation, its quality, its cost and its revenue. */
export function TrafficPage() {
  const { from, to, ms } = trafficSpan();
  const filters = recordOf(columns, (name) => queryValue(name));
  const path = withParameters(`${OPERATOR}/traffic`, {
    from,
    to,
    ...filters,
    group_by: queryValue('group'),
    compare: queryValue('compare') === 'none' ? null : 'previous',
  });
  const traffic = useQuery<Traffic>(path, { pollMs: POLL_MS, hasMovingSpan: true });
  return (
    <>
      <PageHeader
        title="Traffic"
        lead="Requests of all accounts on all nodes, with latency and money. Times are in UTC."
        actions={
          <LinkButton href={requestsHref({ from, to })} icon="requests">
            Requests
          </LinkButton>
        }
      />
      <TrafficFilters isFiltered={columns.some((name) => filters[name] !== '')} />
      <Loaded query={traffic} skeleton={<Skeleton lines={16} />}>
        {(data) => (
          <>
            <TrafficTotals traffic={data} spanMs={ms} />
            <TrafficChart traffic={data} />
            <TrafficGroups traffic={data} />
          </>
        )}
      </Loaded>
    </>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const TrafficFilters = ({ isFiltered }: { isFiltered: boolean }) => (
  <Filters>
    <SpanFilter />
    <ChoiceFilter
      param="group"
      label="Group by"
      options={filterOptions(columns, { noneLabel: 'Nothing', labelOf: capitalized })}
    />
    <ChoiceFilter
      param="compare"
      label="Compare with"
      options={[
        { value: '', label: 'The span before' },
        { value: 'none', label: 'Nothing' },
      ]}
    />
    <ChoiceFilter param="status" label="Status" options={filterOptions(statusClasses)} />
    <ChoiceFilter
      param="source"
      label="Source"
      options={filterOptions(requestSources, { labelOf: capitalized })}
    />
    {textColumns.map((param) => (
      <TextFilter key={param} param={param} label={capitalized(param)} placeholder={placeholders[param]} />
    ))}
    {isFiltered && (
      <Button
        onClick={() =>
          setQuery(
            recordOf(columns, () => null),
            { replace: false },
          )
        }
      >
        Clear
      </Button>
    )}
  </Filters>
);
