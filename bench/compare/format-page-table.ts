import { formatMarkdownTable } from '../format-markdown-table.ts';
import { formatNumber, formatSpread, NOT_MEASURED } from '../format-spread.ts';
import type { SystemFigures } from './build-figures.ts';
import type { MemoryFigures } from './comparison.ts';
import { tailsMs } from './find-frontier.ts';
import { titleOf } from './title-of.ts';

type Column = { title: string; format: (figures: SystemFigures) => string };

const formatFigure = (value: number | null | undefined): string =>
  value === null || value === undefined ? NOT_MEASURED : formatNumber(value);

const systemColumn: Column = { title: 'system', format: ({ system }) => titleOf(system) };

const memoryColumn = (title: string, figure: Exclude<keyof MemoryFigures, 'system'>): Column => ({
  title,
  format: ({ memory }) => formatFigure(memory?.[figure]),
});

/** The tables of the page. Each has a row for each system. */
const tables = {
  cost: [
    systemColumn,
    { title: 'CPU µs per request', format: ({ cpuUs }) => formatSpread(cpuUs) },
    { title: '× haproxy', format: ({ cpuRatioToHaproxy }) => formatSpread(cpuRatioToHaproxy, 1) },
    { title: 'CPU µs per agent’s request', format: ({ agentCpuUs }) => formatSpread(agentCpuUs) },
    { title: 'added p50 µs', format: ({ addedP50Us }) => formatSpread(addedP50Us) },
    { title: 'added p99 µs', format: ({ addedP99Us }) => formatSpread(addedP99Us) },
    { title: 'errors', format: ({ errors }) => formatNumber(errors) },
  ],
  frontier: [
    systemColumn,
    ...tailsMs.map((tailMs, index) => ({
      title: `p99 ≤ ${tailMs} ms`,
      format: ({ frontier }: SystemFigures) => formatFigure(frontier[index]),
    })),
  ],
  streams: [
    systemColumn,
    { title: 'added first event µs', format: ({ addedFirstEventUs }) => formatSpread(addedFirstEventUs) },
    { title: 'CPU µs per stream', format: ({ cpuUsPerStream }) => formatSpread(cpuUsPerStream) },
    { title: 'streams without a stall', format: ({ steadyStreams }) => formatFigure(steadyStreams) },
  ],
  memory: [
    systemColumn,
    memoryColumn('idle MB', 'idleMb'),
    memoryColumn('under load MB', 'loadMb'),
    memoryColumn('afterwards MB', 'afterMb'),
  ],
} satisfies Readonly<Record<string, readonly Column[]>>;

/** Formats a table of the page in Markdown. */
export function formatPageTable(table: keyof typeof tables, systems: readonly SystemFigures[]): string {
  const columns: readonly Column[] = tables[table];
  const rows = systems.map((figures) => columns.map(({ format }) => format(figures)));
  return formatMarkdownTable(
    columns.map(({ title }) => title),
    rows,
  );
}
