import { entriesOf, lookUp } from '../../../src/base/lib/records.ts';
import { queryValue } from '../../app/address.ts';
import { Chart } from '../../components/chart.tsx';
import { ChoiceFilter, Filters } from '../../components/filters.tsx';
import { formatRate } from '../../components/format.ts';
import { msOfInterval, stepOfInterval } from '../../components/interval.ts';
import { Section } from '../../components/section.tsx';
import { requestsHref } from './requests-href.ts';
import type { Traffic } from './rows.ts';
import { requestsPerMinute, trafficFigures } from './traffic-figures.ts';

/** The colours of more series look alike. */
const MAX_SERIES = 7;

type Point = Traffic['data'][number];
type ChartFigure = {
  label: string;
  kind: 'line' | 'stacked';
  read(point: Point, intervalMs: number): number | null;
  format(value: number): string;
};

/** The figures of the chart by their words in the address. */
const figures = {
  requests: { label: 'Requests a minute', kind: 'stacked', read: requestsPerMinute, format: formatRate },
  errors: { label: 'Errors', kind: 'stacked', ...trafficFigures.errors },
  refused: { label: 'Refused', kind: 'stacked', ...trafficFigures.refused },
  latency: { label: 'Latency p95', kind: 'line', ...trafficFigures.latencyP95 },
  first_token: { label: 'First token p50', kind: 'line', ...trafficFigures.firstTokenP50 },
  tokens: { label: 'Tokens', kind: 'stacked', ...trafficFigures.tokens },
  cache: { label: 'Cache share', kind: 'line', ...trafficFigures.cacheShare },
  spend: { label: 'Spend', kind: 'stacked', ...trafficFigures.spend },
  revenue: { label: 'Revenue', kind: 'stacked', ...trafficFigures.revenue },
  margin: { label: 'Margin', kind: 'line', ...trafficFigures.margin },
} satisfies Readonly<Record<string, ChartFigure>>;
const options = entriesOf(figures).map(([value, { label }]) => ({ value, label }));

/**
 * The course of one figure, with a series for each of the busiest groups.
 * A press opens the requests of the interval.
 */
export function TrafficChart({ traffic }: { traffic: Traffic }) {
  const figure: ChartFigure = lookUp<ChartFigure>(figures, queryValue('figure')) ?? figures.requests;
  const intervalMs = msOfInterval(traffic.interval);
  const series = seriesOf(traffic, figure);
  const times = series[0].points.map(({ start }) => start);
  return (
    <Section title="Course">
      <Filters>
        <ChoiceFilter param="figure" label="Figure" options={options} />
      </Filters>
      {times.length === 0 ? (
        <p class="soft">There were no requests.</p>
      ) : (
        <Chart
          title={`${figure.label} by time`}
          times={times}
          step={stepOfInterval(traffic.interval)}
          intervalMs={intervalMs}
          kind={figure.kind}
          format={figure.format}
          series={series.map(({ label, points }) => ({
            label,
            values: points.map((point) => figure.read(point, intervalMs)),
          }))}
          hrefAt={(index) => intervalHref(times[index]!, intervalMs)}
        />
      )}
    </Section>
  );
}

type GroupSeries = { label: string; points: Point[] };

/** Returns the intervals of each of the busiest groups, or the intervals of all requests. */
function seriesOf({ groups = [], data }: Traffic, { label }: ChartFigure): [GroupSeries, ...GroupSeries[]] {
  const [first, ...others] = groups.slice(0, MAX_SERIES).map(({ group, group_name }) => ({
    label: group_name || 'none',
    points: data.filter((point) => point.group === group),
  }));
  return first ? [first, ...others] : [{ label, points: data.filter(({ group }) => group === null) }];
}

/** Returns the address of the requests in an interval. */
const intervalHref = (start: string, intervalMs: number): string =>
  requestsHref({ from: start, to: new Date(Date.parse(start) + intervalMs).toISOString() });
