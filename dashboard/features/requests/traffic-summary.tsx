import type { Static } from 'typebox';
import { HOUR_MS, MINUTE_MS } from '../../../src/base/lib/units.ts';
import type { memberTraffic } from '../../../src/console/traffic/traffic-schema.ts';
import { type QueryChanges, queryValue, withParameters } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { useQuery } from '../../app/use-query.ts';
import { Chart } from '../../components/chart.tsx';
import { formatNumber, formatPercent } from '../../components/format.ts';
import { formatDuration } from '../../components/format-duration.ts';
import { msOfInterval, stepOfInterval } from '../../components/interval.ts';
import { Stat, Stats } from '../../components/stat.tsx';
import { chosenHours, spanParams } from '../../components/time-filter.tsx';

type Traffic = Static<typeof memberTraffic>;

const POLL_MS = 15_000;

/**
 * The latency, the cache share and the errors of the requests that the search selects by key, model and time.
 */
export function TrafficSummary() {
  const base = inOrganization('/traffic');
  const query = { key: queryValue('key'), model: queryValue('model'), ...spanOf() };
  const traffic = useQuery<Traffic>(base && withParameters(base, query), {
    pollMs: POLL_MS,
    hasMovingSpan: true,
  });
  const data = traffic.data;
  // The list below says what is wrong with a search that the sums do not have.
  if (traffic.problem && !data) return null;
  const totals = data?.totals;
  return (
    <section class="section" aria-label="Traffic">
      <Stats>
        <Stat label="Requests" value={totals && formatNumber(totals.requests)} />
        <Stat label="Latency p50" value={totals && formatDuration(totals.latency_ms.p50)} />
        <Stat label="Latency p95" value={totals && formatDuration(totals.latency_ms.p95)} />
        <Stat label="First token p50" value={totals && formatDuration(totals.first_token_ms.p50)} />
        <Stat label="Cache share" value={totals && formatPercent(totals.cache_share)} />
        <Stat
          label="Errors"
          value={totals && formatNumber(totals.errors)}
          href={requestsHref({ status: '5xx' })}
        />
        <Stat
          label="Refused"
          value={totals && formatNumber(totals.refused)}
          href={requestsHref({ status: '4xx' })}
        />
      </Stats>
      {data && data.totals.errors + data.totals.refused > 0 && <ErrorChart traffic={data} />}
    </section>
  );
}

const ErrorChart = ({ traffic: { data, interval } }: { traffic: Traffic }) => (
  <Chart
    title="Errors and refused requests by time"
    times={data.map(({ start }) => start)}
    step={stepOfInterval(interval)}
    intervalMs={msOfInterval(interval)}
    kind="stacked"
    height={120}
    hasLateTable
    series={[
      { label: 'Errors', values: data.map(({ errors }) => errors) },
      { label: 'Refused', values: data.map(({ refused }) => refused) },
    ]}
    hrefAt={(index) => hrefOf(data[index]!.start, msOfInterval(interval))}
  />
);

/** The fields of the search that select the sums. */
const sumFields = ['key', 'model', ...spanParams] as const;

/** Returns the address of the requests behind a sum, which other fields of the search would not select. */
const requestsHref = (changes: QueryChanges): string =>
  withParameters('/requests', {
    ...Object.fromEntries(sumFields.map((name) => [name, queryValue(name)])),
    ...changes,
  });

function hrefOf(start: string, intervalMs: number): string {
  const until = new Date(Date.parse(start) + intervalMs).toISOString();
  return requestsHref({ status: 'failed', hours: null, since: start, until });
}

/** Returns the span of the search. Without a start, it is the day before its end. */
function spanOf(): { from: string; to: string } {
  const since = queryValue('since');
  const end = Date.parse(queryValue('until')) || Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const to = new Date(end).toISOString();
  if (since !== '') return { from: since, to };
  const hours = chosenHours() ?? 24;
  return { from: new Date(end - hours * HOUR_MS).toISOString(), to };
}
