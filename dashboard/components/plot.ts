import uPlot from 'uplot';
import { type ChartStep, type PlotProps, SERIES_COLOURS } from './chart-props.ts';
import { formatTick } from './format-time.ts';

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** The length of each step, and the distances of its labels. Multiples of a day begin at midnight UTC. */
const steps = {
  minute: { seconds: MINUTE_S, distances: [1, 2, 5, 10, 15, 30, 60, 120, 240, 480] },
  hour: { seconds: HOUR_S, distances: [1, 2, 3, 6, 12, 24, 48] },
  day: { seconds: DAY_S, distances: [1, 2, 4, 7, 14, 28, 56, 112] },
} as const satisfies Record<ChartStep, { seconds: number; distances: readonly number[] }>;

/** Draws a chart of a width into an element. */
export function plot(place: HTMLElement, width: number, props: PlotProps): uPlot {
  const { times, step, intervalMs, series, kind, height } = props;
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const barSeconds = intervalMs === undefined ? steps[step].seconds : intervalMs / 1_000;
  const values = series.map((line) => line.values);
  const heights = kind === 'stacked' ? stacked(values) : values;
  // The tallest stack is drawn first, so that the others stand before it.
  const order = series.map((_, index) => index);
  if (kind === 'stacked') order.reverse();
  const data = [times.map((time) => Date.parse(time) / 1_000), ...order.map((index) => heights[index]!)];
  return new uPlot(
    {
      width,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: kind === 'line' } },
      scales: {
        // Without half a bar at each end, the first and the last one would be cut.
        x: { time: false, range: (_chart, first, last) => [first - barSeconds / 2, last + barSeconds / 2] },
        y: { range: (_chart, low, high) => rangeOf(low, high) },
      },
      axes: axesOf(props, colour),
      series: [
        {},
        ...order.map((index) =>
          styleOf(kind, series[index]!.label, colour(`--series-${index % SERIES_COLOURS}`)),
        ),
      ],
    },
    // The library takes mutable lists, which it does not change.
    data as uPlot.AlignedData,
    place,
  );
}

function axesOf({ step, format }: PlotProps, colour: (name: string) => string): uPlot.Axis[] {
  const axis: uPlot.Axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const { seconds, distances } = steps[step];
  return [
    {
      ...axis,
      incrs: distances.map((distance) => distance * seconds),
      space: 64,
      values: (_chart, splits) => splits.map((time) => formatTick(isoOf(time), step)),
    },
    { ...axis, size: 56, values: (_chart, splits) => splits.map((value) => format(value)) },
  ];
}

/** Returns the ends of the axis of values, which has 0 and all values. A chart can be without values. */
const rangeOf = (low: number | null, high: number | null): uPlot.Range.MinMax => {
  const lowest = Math.min(0, low ?? 0);
  const highest = Math.max(0, high ?? 0);
  return lowest === highest ? [0, 1] : [lowest * 1.05, highest * 1.05];
};

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

const styleOf = (kind: PlotProps['kind'], label: string, colour: string): uPlot.Series =>
  kind === 'line'
    ? { label, stroke: colour, width: 2 }
    : { label, stroke: colour, width: 0, fill: colour, paths: bars(), points: { show: false } };

const bars = () => uPlot.paths.bars!({ size: [0.7, 40] });

/** Stacks each series on the previous series. */
function stacked(series: readonly (readonly (number | null)[])[]): number[][] {
  const sums: number[][] = [];
  for (const values of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)));
  }
  return sums;
}
