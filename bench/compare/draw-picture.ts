import type { Spread } from '../benchmark-report.ts';
import type { SystemFigures } from './build-figures.ts';
import { drawDotPlot } from './draw-dot-plot.ts';
import { tailsMs } from './find-frontier.ts';
import { titleOf } from './title-of.ts';

/** Returns the spread of a figure that has one value. */
const spreadOfOne = (value: number): Spread => ({ median: value, min: value, max: value });

type Picture = {
  title: string;
  unit: string;
  series: readonly string[];
  /** Returns a point for each series, or an empty list if none was measured. */
  read: (figures: SystemFigures) => readonly (Spread | null)[];
};

/** The pictures of the page, by the names of their files. */
export const pictures = {
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
    series: tailsMs.map((tailMs) => `${tailMs} ms`),
    read: ({ frontier }) => frontier.map((rps) => (rps === null ? null : spreadOfOne(rps))),
  },
  'memory.svg': {
    title: 'Resident memory',
    unit: 'MB',
    series: ['idle', 'under load', 'afterwards'],
    read: ({ memory }) =>
      memory === null ? [] : [memory.idleMb, memory.loadMb, memory.afterMb].map(spreadOfOne),
  },
} satisfies Readonly<Record<`${string}.svg`, Picture>>;

export type PictureFile = keyof typeof pictures;

/** Draws a picture with a row for each system that has a value. */
export function drawPicture(file: PictureFile, systems: readonly SystemFigures[]): string {
  const { title, unit, series, read }: Picture = pictures[file];
  const rows = systems
    .map((figures) => ({ label: titleOf(figures.system), points: read(figures) }))
    .filter(({ points }) => points.some((point) => point !== null));
  return drawDotPlot({ title, unit, series, rows });
}
