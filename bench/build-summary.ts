import type { Measurement, ScenarioName, Spread, SummaryRow, SystemName } from './benchmark-report.ts';
import { differenceInRounds, ratioInRounds } from './compare-in-rounds.ts';
import { scenarios } from './scenarios.ts';
import { summarize } from './summarize.ts';

const summarizeMeasured = (
  rows: readonly Measurement[],
  metric: 'cpuUsPerRequest' | 'residentMb',
): Spread | null => summarize(rows.flatMap((row) => row[metric] ?? []));

/** Summarizes the rounds of one scenario and system, of which there is at least one. */
function buildRow(rows: readonly Measurement[], all: readonly Measurement[]): SummaryRow {
  const { scenario, system } = rows[0]!;
  const { floor } = scenarios[scenario];
  const rowsOf = (name: SystemName, of: ScenarioName) =>
    all.filter((row) => row.system === name && row.scenario === of);
  const addedLatency = (percentile: 'p50Us' | 'p99Us') =>
    system === 'direct'
      ? null
      : differenceInRounds({ rows, baseline: rowsOf('direct', scenario) }, (row) => row[percentile]);
  const cpuRatioTo = (name: SystemName) =>
    ratioInRounds({ rows, baseline: rowsOf(name, floor) }, (row) => row.cpuUsPerRequest);
  return {
    scenario,
    system,
    rounds: rows.length,
    requestsPerSecond: summarize(rows.map((row) => row.requestsPerSecond))!,
    cpuUsPerRequest: summarizeMeasured(rows, 'cpuUsPerRequest'),
    cpuRatioToHaproxy: cpuRatioTo('haproxy'),
    cpuRatioToPlain: floor === scenario ? null : cpuRatioTo(system),
    p50Us: summarize(rows.map((row) => row.p50Us))!,
    p99Us: summarize(rows.map((row) => row.p99Us))!,
    addedP50Us: addedLatency('p50Us'),
    addedP99Us: addedLatency('p99Us'),
    residentMb: summarizeMeasured(rows, 'residentMb'),
    errors: rows.reduce((sum, row) => sum + row.failures + row.badStatuses, 0),
  };
}

/** Returns one row for each scenario and system, in the order of their first measurement. */
export function buildSummary(measurements: readonly Measurement[]): SummaryRow[] {
  const groups = Map.groupBy(measurements, ({ scenario, system }) => `${scenario} ${system}`);
  return [...groups.values()].map((rows) => buildRow(rows, measurements));
}
