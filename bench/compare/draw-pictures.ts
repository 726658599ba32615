import type { Spread } from '../benchmark-report.ts';
import { drawDotPlot } from './draw-dot-plot.ts';
import { type SystemFigures, tailsMs } from './figures.ts';

const exactly = (value: number): Spread => ({ median: value, min: value, max: value });

type Picture = {
  title: string;
  unit: string;
  series: readonly string[];
  read: (figures: SystemFigures) => readonly (Spread | null)[];
};

/** The pictures of the page, by the names of their files. */
export const pictures: Readonly<Record<string, Picture>> = {
  'cpu.svg': {
    title: 'CPU time for each request',
    unit: 'µs',
    series: ['a chat request', 'an agent’s request'],
    read: ({ cpuUs, agentCpuUs }) => [cpuUs, agentCpuUs],
  },
  'latency.svg': {
    title: 'Latency added over one connection',
    unit: 'µs',
    series: ['median', '99th percentile'],
    read: ({ addedP50Us, addedP99Us }) => [addedP50Us, addedP99Us],
  },
  'frontier.svg': {
    title: 'Requests a second on one core, below a 99th percentile',
    unit: 'requests a second',
    series: tailsMs.map((tail) => `${tail} ms`),
    read: ({ frontier }) => frontier.map((rps) => (rps === null ? null : exactly(rps))),
  },
  'memory.svg': {
    title: 'Resident memory',
    unit: 'MB',
    series: ['idle', 'under load', 'afterwards'],
    read: ({ memory }) =>
      memory === null ? [] : [memory.idleMb, memory.loadMb, memory.afterMb].map(exactly),
  },
};

/** Draws a picture with a row for each system that has a value. */
export function drawPicture(
  { title, unit, series, read }: Picture,
  figures: readonly SystemFigures[],
  nameOf: (figures: SystemFigures) => string,
): string {
  const rows = figures
    .map((one) => ({ label: nameOf(one), points: read(one) }))
    .filter(({ points }) => points.some((point) => point !== null));
  return drawDotPlot({ title, unit, series, rows });
}
