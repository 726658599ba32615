import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';
import { Chart } from '../../components/chart.tsx';
import { SERIES_COLOURS, type Series } from '../../components/chart-props.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { groupName } from './group-name.ts';
import { metrics } from './metrics.ts';
import { requestsBehind, type UsageState } from './usage-state.ts';

const STEPS = { hour: 'hour (UTC)', day: 'day (UTC)' } as const;

type UsageChartProps = { report: UsageReport; state: UsageState; keys: KeyLabels };

/** The metric by hour or day, with a part for each group. A press on a bar opens its requests. */
export function UsageChart({ report, state, keys }: UsageChartProps) {
  const { label, format } = metrics[report.metric];
  const title = `${label} by ${STEPS[report.step]} and ${report.by}`;
  const series = seriesOf(report, keys);
  if (series.length === 0)
    return (
      <Section title={title}>
        <EmptyState title={`No ${label.toLowerCase()} in this period`}>
          Choose another period, remove a filter, or send a request.
        </EmptyState>
      </Section>
    );
  return (
    <Section title={title} lead="Select a bar to see its requests." isCard>
      <Chart
        title={title}
        times={report.times}
        step={report.step}
        series={series}
        kind="stacked"
        format={format}
        height={260}
        hrefAt={(index) => requestsBehind(state, report, {}, index)}
      />
    </Section>
  );
}

/** Returns a series for each of the largest groups, and one for all others. */
function seriesOf({ groups, rest, metric, by, times }: UsageReport, keys: KeyLabels): Series[] {
  const { figureOf } = metrics[metric];
  const present = groups.filter((group) => figureOf(group) > 0);
  if (present.length === 0) return [];
  const unlisted = rest && figureOf(rest) > 0 ? rest : null;
  const largest = present.slice(0, unlisted ? SERIES_COLOURS - 1 : SERIES_COLOURS);
  const series = largest.map(({ id, values }) => ({ label: groupName(id, by, keys), values }));
  const smaller = present.slice(largest.length);
  const otherCount = (unlisted?.groups ?? 0) + smaller.length;
  if (otherCount === 0) return series;
  const values = times.map((_, index) =>
    smaller.reduce((sum, group) => sum + group.values[index]!, unlisted?.values[index] ?? 0),
  );
  return [...series, { label: `${otherCount} others`, values }];
}
