import { type Dialect, dialects, drawRequest, faults } from './draw-request.ts';
import { discrepancyKinds } from './judge.ts';
import type { SoakReport } from './run-soak.ts';

const EXAMPLES = 5;

/** Writes a report as a page for people. */
export function summarize(report: SoakReport, seed: number, examples = EXAMPLES): string {
  return [
    `seed ${seed}: ${report.kills} kills, ${report.sent.length} requests, ${report.calls.length} upstream calls, ${report.entries.length} charges`,
    endings(report),
    coverage(report, seed),
    faultCounts(report),
    `charges: ${counts(report.entries.map(({ outcome, isEstimated }) => (isEstimated ? `${outcome}, estimated` : outcome)))}`,
    ...discrepancies(report, examples),
    ...report.contradictions.map((one) => `the ledger contradicts itself: ${one}`),
  ].join('\n');
}

const counts = (names: readonly string[]): string =>
  [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => `${length} ${name}`).join(' · ');

const endings = ({ sent }: SoakReport): string =>
  `clients: ${counts(sent.map(({ ending, error }) => (error === undefined ? ending : `${ending} ${error}`)))}`;

/** Counts complete replies by dialect and wire. */
function coverage({ sent, calls }: SoakReport, seed: number): string {
  const wireOf = new Map(
    calls.filter(({ ending }) => ending !== 'failed').map(({ number, wire }) => [number, wire]),
  );
  const cells = new Map<string, number>();
  for (const { number, ending } of sent) {
    if (ending !== 'complete') continue;
    const cell = `${drawRequest(seed, number).dialect} ${wireOf.get(number)}`;
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const wires = [...new Set(wireOf.values())].sort();
  const row = (dialect: Dialect) =>
    [dialect, ...wires.map((wire) => String(cells.get(`${dialect} ${wire}`) ?? 0))].map(padded).join('');
  return [['complete', ...wires].map(padded).join(''), ...dialects.map(row)].join('\n');
}

const padded = (text: string): string => text.padEnd(20);

const faultCounts = ({ calls }: SoakReport): string =>
  `faults: ${faults.map((fault) => `${calls.filter((call) => call.fault === fault).length} ${fault}`).join(' · ')}`;

function discrepancies({ discrepancies: found }: SoakReport, examples: number): string[] {
  const groups = Map.groupBy(found, ({ kind, reason }) => `${kind} (${reason})`);
  return [
    `discrepancies: ${discrepancyKinds.map((name) => `${found.filter(({ kind }) => kind === name).length} ${name}`).join(' · ')}`,
    ...[...groups].flatMap(([name, some]) => [
      `${some.length} × ${name}`,
      ...some.slice(0, examples).map(({ number, requestId, facts }) => `  #${number} ${requestId}: ${facts}`),
    ]),
  ];
}
