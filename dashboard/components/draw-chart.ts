import uPlot from 'uplot';
import type { ChartProps } from './chart-props.ts';
import { formatTick } from './format-time.ts';

type Drawn = Required<Omit<ChartProps, 'title' | 'hrefAt' | 'intervalMs' | 'hasLateTable'>> & {
  intervalMs?: number | undefined;
  /** Is called with the index of a pressed time. */
  onPick?: (index: number) => void;
};

const COLOURS = 8;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

const MINUTE_S = 60;
const widths = { minute: MINUTE_S, hour: HOUR_S, day: DAY_S } as const;
/** The distances between two labels. As multiples of a day they begin at midnight UTC. */
const distances = {
  minute: [1, 2, 5, 10, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_S),
  hour: [1, 2, 3, 6, 12, 24, 48].map((hours) => hours * HOUR_S),
  day: [1, 2, 4, 7, 14, 28, 56, 112].map((days) => days * DAY_S),
};

/** Draws a chart into an element, and follows its width. Returns the end of it. */
export function drawChart(place: HTMLElement, drawn: Drawn): () => void {
  const { height, onPick } = drawn;
  const chart = plot(place, place.clientWidth || 600, drawn);
  // A new size clears the picture until it is drawn again.
  const watch = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry!.contentRect.width);
    if (width > 0 && width !== chart.width) chart.setSize({ width, height });
  });
  watch.observe(place);
  chart.over.addEventListener('click', () => {
    if (typeof chart.cursor.idx === 'number') onPick?.(chart.cursor.idx);
  });
  const endPrinting = drawForPaper(place, drawn);
  return () => {
    watch.disconnect();
    chart.destroy();
    endPrinting();
  };
}

/** The width of a chart on paper, in pixels of the screen. */
const PAPER_WIDTH = 660;

/**
 * Paper has another width than the screen and no dark colours, so it gets a picture
 * of its own while it is printed.
 */
function drawForPaper(place: HTMLElement, drawn: Drawn): () => void {
  let sheet: HTMLElement | undefined;
  const remove = () => {
    sheet?.remove();
    sheet = undefined;
  };
  const draw = () => {
    remove();
    sheet = document.createElement('div');
    sheet.className = 'chart-print';
    place.append(sheet);
    plot(sheet, PAPER_WIDTH, drawn);
  };
  addEventListener('beforeprint', draw);
  addEventListener('afterprint', remove);
  return () => {
    removeEventListener('beforeprint', draw);
    removeEventListener('afterprint', remove);
    remove();
  };
}

function plot(
  place: HTMLElement,
  width: number,
  { times, step, intervalMs, series, kind, format, height }: Drawn,
): uPlot {
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const values =
    kind === 'stacked' ? stacked(series.map((line) => line.values)) : series.map((line) => line.values);
  // The tallest stack is drawn first, so that the others stand before it.
  const order = series.map((_, index) => index);
  if (kind === 'stacked') order.reverse();
  const timeAxis = {
    ...axis,
    incrs: distances[step],
    space: 64,
    values: (_chart: uPlot, splits: number[]) => splits.map((at) => formatTick(isoOf(at), step)),
  };
  const barSeconds = intervalMs === undefined ? widths[step] : intervalMs / 1_000;
  // Otherwise the first and the last bar would lose a half each.
  const withHalfSteps = (first: number, last: number): [number, number] => [
    first - barSeconds / 2,
    last + barSeconds / 2,
  ];
  const bars = uPlot.paths.bars!({ size: [0.7, 40] });
  return new uPlot(
    {
      width,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: kind === 'line' } },
      scales: {
        x: { time: false, range: (_chart, first, last) => withHalfSteps(first, last) },
        y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.05 : 1] },
      },
      axes: [
        timeAxis,
        { ...axis, size: 56, values: (_chart, splits) => splits.map((value) => format(value)) },
      ],
      series: [
        {},
        ...order.map((index) => ({
          label: series[index]!.label,
          stroke: colour(`--series-${index % COLOURS}`),
          width: kind === 'line' ? 2 : 0,
          ...(kind !== 'line' && {
            fill: colour(`--series-${index % COLOURS}`),
            paths: bars,
            points: { show: false },
          }),
        })),
      ],
    },
    [
      times.map((time) => Date.parse(time) / 1_000),
      ...order.map((index) => values[index]!),
    ] as uPlot.AlignedData,
    place,
  );
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Stacks each series on those before it. */
function stacked(all: readonly (readonly (number | null)[])[]): number[][] {
  const sums: number[][] = [];
  for (const values of all) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return sums;
}
