import { queryValue, setQuery, withParameters } from '../../app/address.ts';
import { useQuery } from '../../app/use-query.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { SpanFilter, trafficSpan } from '../../components/traffic-span.tsx';
import { OPERATOR } from './operator-api.ts';
import type { Traffic } from './rows.ts';
import { TrafficChart } from './traffic-chart.tsx';
import { TrafficGroups } from './traffic-groups.tsx';
import { TrafficTotals } from './traffic-totals.tsx';

const POLL_MS = 15_000;
const texts = ['provider', 'model', 'account', 'key', 'node'] as const;
const names = [...texts, 'status', 'source'] as const;

/** Shows the traffic of the whole installation, its quality, its cost and its revenue. */
export function TrafficPage() {
  const { from, to, ms } = trafficSpan();
  const filters = Object.fromEntries(names.map((name) => [name, queryValue(name)]));
  const path = withParameters(`${OPERATOR}/traffic`, {
    from,
    to,
    ...filters,
    group_by: queryValue('group'),
    compare: queryValue('compare') === 'none' ? null : 'previous',
  });
  const traffic = useQuery<Traffic>(path, { pollMs: POLL_MS });
  return (
    <>
      <PageHeader
        title="Traffic"
        lead="Requests of all accounts on all nodes, with latency and money. Times are in UTC."
        actions={
          <LinkButton href={requestsHref({ from, to }, filters)} icon="requests">
            Requests
          </LinkButton>
        }
      />
      <TrafficFilters isFiltered={names.some((name) => filters[name] !== '')} />
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

/** The requests behind the figures. */
function requestsHref(
  { from, to }: { from: string; to: string },
  filters: Readonly<Record<string, string>>,
): string {
  const { account, key, model, status, source } = filters;
  return withParameters('/operator/requests', {
    account,
    key,
    model,
    status,
    source,
    since: from,
    until: to,
  });
}

const columns = ['provider', 'model', 'account', 'key', 'status', 'node', 'source'];
const labelOf = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const anyOf = (label: string, values: readonly string[]) => [
  { value: '', label },
  ...values.map((value) => ({ value, label: labelOf(value) })),
];

const TrafficFilters = ({ isFiltered }: { isFiltered: boolean }) => (
  <Filters>
    <SpanFilter />
    <ChoiceFilter param="group" label="Group by" options={anyOf('Nothing', columns)} />
    <ChoiceFilter
      param="compare"
      label="Compare with"
      options={[
        { value: '', label: 'The span before' },
        { value: 'none', label: 'Nothing' },
      ]}
    />
    <ChoiceFilter param="status" label="Status" options={anyOf('Any', ['2xx', '4xx', '5xx'])} />
    <ChoiceFilter param="source" label="Source" options={anyOf('Any', ['api', 'batch', 'playground'])} />
    {texts.map((param) => (
      <TextFilter key={param} param={param} label={labelOf(param)} placeholder={placeholders[param]} />
    ))}
    {isFiltered && (
      <Button
        onClick={() => setQuery(Object.fromEntries(names.map((name) => [name, null])), { replace: false })}
      >
        Clear
      </Button>
    )}
  </Filters>
);

const placeholders: Readonly<Record<string, string>> = {
  account: 'acct_…',
  key: 'key_…',
  node: 'node_…',
  provider: 'Any provider',
  model: 'Any model',
};
