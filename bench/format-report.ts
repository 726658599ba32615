import type { BenchmarkReport, Spread, SummaryRow } from './benchmark-report.ts';
import { formatNumber, formatSpread, NOT_MEASURED } from './format-spread.ts';

/** The first columns are names, and the others are figures. */
const textColumns = 2;

const formatMedian = (spread: Spread | null, digits: number) =>
  spread === null ? NOT_MEASURED : formatNumber(spread.median, digits);

const toMs = (spread: Spread | null): Spread | null =>
  spread === null ? null : { median: spread.median / 1000, min: spread.min / 1000, max: spread.max / 1000 };

const columns: readonly { title: string; read: (row: SummaryRow) => string }[] = [
  { title: 'scenario', read: (row) => row.scenario },
  { title: 'system', read: (row) => row.system },
  { title: 'CPU µs/request', read: (row) => formatSpread(row.cpuUsPerRequest, 1) },
  { title: '× haproxy', read: (row) => formatSpread(row.cpuRatioToHaproxy, 2) },
  { title: '× own plain', read: (row) => formatMedian(row.cpuRatioToPlain, 2) },
  { title: 'requests/s', read: (row) => formatSpread(row.requestsPerSecond, 0) },
  { title: 'p50 ms', read: (row) => formatMedian(toMs(row.p50Us), 2) },
  { title: 'p99 ms', read: (row) => formatMedian(toMs(row.p99Us), 2) },
  { title: '+p50', read: (row) => formatMedian(toMs(row.addedP50Us), 2) },
  { title: '+p99', read: (row) => formatMedian(toMs(row.addedP99Us), 2) },
  { title: 'MB', read: (row) => formatMedian(row.residentMb, 0) },
  { title: 'errors', read: (row) => String(row.errors) },
];

function formatTable(rows: readonly SummaryRow[]): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ read }) => read(row))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]!.length)));
  const pad = (cell: string, index: number) =>
    index < textColumns ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!);
  return cells.map((line) => line.map(pad).join('  ').trimEnd());
}

/** Formats the report as aligned text for a terminal. */
export function formatReport({ machine, parameters, summary, skipped, startedAt }: BenchmarkReport): string {
  const { rounds, seconds, connections, warmUpSeconds, streamEvents, streamIntervalMs, requestBytes } =
    parameters;
  const programs = `bun ${machine.bun}, node ${machine.node ?? 'not installed'}, wrk ${machine.wrk}`;
  const head = [
    `${startedAt}  ${machine.cores} × ${machine.processor}, Linux ${machine.kernel}`,
    `${programs}, haproxy ${machine.haproxy ?? 'not installed'}, load ${machine.loadAverage.toFixed(2)} before`,
    `${rounds} interleaved rounds × ${seconds} s after ${warmUpSeconds} s of warm-up`,
    `${connections} connections in a closed loop, requests of ${requestBytes} bytes`,
    `streams of ${streamEvents} events, one every ${streamIntervalMs} ms`,
    'medians (least to largest); ratios and added latency compare measurements of the same round',
  ];
  const reasons = skipped.map(
    ({ system, scenario, reason }) =>
      `not measured: ${system}${scenario === null ? '' : ` ${scenario}`}: ${reason}`,
  );
  return [...head, '', ...formatTable(summary), ...(reasons.length > 0 ? ['', ...reasons] : [])].join('\n');
}
