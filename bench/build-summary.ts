import type { Measurement, SummaryRow, SystemName } from './benchmark-report.ts';
import { scenarios } from './scenarios.ts';
import { summarize } from './summarize.ts';

type Metric = 'cpuUsPerRequest' | 'p50Us' | 'p99Us';
type Comparison = {
  metric: Metric;
  scenario: string;
  system: SystemName;
  combine: (own: number, other: number) => number;
};

const divide = (own: number, other: number) => own / other;
const subtract = (own: number, other: number) => own - other;

/** Pairs measurements of the same round, so that noise affects both. */
function compareInRounds(rows: readonly Measurement[], all: readonly Measurement[], comparison: Comparison) {
  const { metric, scenario, system, combine } = comparison;
  const values = rows.flatMap((row) => {
    const other = all.find(
      (candidate) =>
        candidate.round === row.round && candidate.scenario === scenario && candidate.system === system,
    )?.[metric];
    const own = row[metric];
    return other === undefined || other === null || other === 0 || own === null ? [] : [combine(own, other)];
  });
  return summarize(values);
}

const readAll = (rows: readonly Measurement[], metric: 'cpuUsPerRequest' | 'residentMb') =>
  summarize(rows.flatMap((row) => row[metric] ?? []));

function buildRow(rows: readonly Measurement[], all: readonly Measurement[]): SummaryRow {
  const { scenario, system } = rows[0]!;
  const { floor } = scenarios[scenario];
  const compare = (comparison: Comparison) => compareInRounds(rows, all, comparison);
  const addedTo = (metric: Metric) =>
    system === 'direct' ? null : compare({ metric, scenario, system: 'direct', combine: subtract });
  const cpuRatio = (other: SystemName) =>
    compare({ metric: 'cpuUsPerRequest', scenario: floor, system: other, combine: divide });
  return {
    scenario,
    system,
    rounds: rows.length,
    requestsPerSecond: summarize(rows.map((row) => row.requestsPerSecond))!,
    cpuUsPerRequest: readAll(rows, 'cpuUsPerRequest'),
    cpuRatioToHaproxy: cpuRatio('haproxy'),
    cpuRatioToPlain: floor === scenario ? null : cpuRatio(system),
    p50Us: summarize(rows.map((row) => row.p50Us))!,
    p99Us: summarize(rows.map((row) => row.p99Us))!,
    addedP50Us: addedTo('p50Us'),
    addedP99Us: addedTo('p99Us'),
    residentMb: readAll(rows, 'residentMb'),
    errors: rows.reduce((sum, row) => sum + row.failures + row.badStatuses, 0),
  };
}

/** Returns one row for each scenario and system, in the order of their first measurement. */
export function buildSummary(measurements: readonly Measurement[]): SummaryRow[] {
  const groups = Map.groupBy(measurements, ({ scenario, system }) => `${scenario} ${system}`);
  return [...groups.values()].map((rows) => buildRow(rows, measurements));
}
