import type { Measurement, ScenarioName } from '../benchmark-report.ts';
import { ratioInRounds } from '../compare-in-rounds.ts';
import { formatMarkdownTable } from '../format-markdown-table.ts';
import { formatSpread } from '../format-spread.ts';
import { summarize } from '../summarize.ts';
import type { CheckoutMeasurement } from './checkout-measurement.ts';

type Figure = 'cpuUsPerRequest' | 'p50Us' | 'residentMb';

const titles = ['scenario', 'CPU µs', 'other', 'ratio', 'ratio of p50', 'ratio of memory', 'failures'];

/** Formats a table of figures, and of their ratios to those of the other checkout in the same round. */
export function formatCheckoutReport(measurements: readonly CheckoutMeasurement[]): string {
  const byScenario = [...Map.groupBy(measurements, ({ scenario }) => scenario)];
  return formatMarkdownTable(
    titles,
    byScenario.map(([scenario, rows]) => formatRow(scenario, rows)),
  );
}

function formatRow(scenario: ScenarioName, all: readonly CheckoutMeasurement[]): string[] {
  const rows = all.filter(({ checkout }) => checkout === 'this');
  const baseline = all.filter(({ checkout }) => checkout === 'other');
  const medianCpu = (of: readonly Measurement[]) =>
    formatSpread(summarize(of.flatMap(({ cpuUsPerRequest }) => cpuUsPerRequest ?? [])));
  const ratio = (figure: Figure) =>
    formatSpread(
      ratioInRounds({ rows, baseline }, (row) => row[figure]),
      3,
    );
  const failures = all.reduce((sum, row) => sum + row.failures + row.badStatuses, 0);
  return [
    scenario,
    medianCpu(rows),
    medianCpu(baseline),
    ratio('cpuUsPerRequest'),
    ratio('p50Us'),
    ratio('residentMb'),
    String(failures),
  ];
}
