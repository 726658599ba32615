import type { UsageReport } from '../../../src/console/dashboard/usage-schema.ts';
import type { KeyLabels } from '../../app/use-key-names.ts';
import { Chart } from '../../components/chart.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Section } from '../../components/section.tsx';
import { groupName } from './group-name.ts';
import { metrics } from './metrics.ts';
import { requestsBehind, type UsageState } from './usage-state.ts';

const STEPS = { hour: 'hour (UTC)', day: 'day (UTC)' } as const;

type UsageChartProps = { report: UsageReport; state: UsageState; keys: KeyLabels };

/** The metric by hour or day, with a part for each group. A press on a bar opens its requests. */
export function UsageChart({ report, state, keys }: UsageChartProps) {
  const { label, format, of } = metrics[report.metric];
  const groups = report.groups.filter((group) => of(group) > 0);
  const title = `${label} by ${STEPS[report.step]} and ${report.by}`;
  if (groups.length === 0) {
    return (
      <Section title={title}>
        <EmptyState title={`No ${label.toLowerCase()} in this period`}>
          Choose another period, remove a filter, or send a request.
        </EmptyState>
      </Section>
    );
  }
  const rest = report.rest && of(report.rest) > 0 ? report.rest : null;
  const series = groups
    .slice(0, rest ? 7 : 8)
    .map((group) => ({ label: groupName(group.id, report.by, keys), values: group.values }));
  const beyond = groups.slice(series.length);
  if (rest || beyond.length > 0) {
    const values = report.times.map((_, index) =>
      beyond.reduce((sum, group) => sum + group.values[index]!, rest?.values[index] ?? 0),
    );
    series.push({ label: `${(rest?.groups ?? 0) + beyond.length} others`, values });
  }
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
