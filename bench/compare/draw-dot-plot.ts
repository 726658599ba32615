import type { Spread } from '../benchmark-report.ts';

type DotPlot = {
  title: string;
  /** The unit of the values, below the axis. */
  unit: string;
  /** The names of the series, in the order of each row's points. */
  series: readonly string[];
  /** A point is null if there is no value. */
  rows: readonly { label: string; points: readonly (Spread | null)[] }[];
};

type Row = DotPlot['rows'][number];

/** The sizes of a plot in pixels. */
const WIDTH = 720;
const ROW_HEIGHT = 30;
const LEFT = 150;
const RIGHT = 30;
const TOP = 64;
const BOTTOM = 44;
const LEGEND_STEP = 110;
const LEGEND_Y = 44;
/** A logarithmic axis has no zero. Smaller values stand at this one. */
const MIN_VALUE = 0.01;

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2933; }
.title { font-size: 16px; font-weight: 600; }
.grid { stroke: #d3dae1; }
.s0 { fill: #1d6fb8; stroke: #1d6fb8; } .s1 { fill: #c8541b; stroke: #c8541b; } .s2 { fill: #2b8a3e; stroke: #2b8a3e; }
.s3 { fill: #7b4bb3; stroke: #7b4bb3; } .s4 { fill: #a61e4d; stroke: #a61e4d; }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e9ee; } .grid { stroke: #3d4751; }
  .s0 { fill: #6db3f2; stroke: #6db3f2; } .s1 { fill: #f0915c; stroke: #f0915c; } .s2 { fill: #69c97c; stroke: #69c97c; }
  .s3 { fill: #b794e6; stroke: #b794e6; } .s4 { fill: #f0769f; stroke: #f0769f; }
}`;

/** The powers of ten at the ends of an axis. */
type Axis = { from: number; to: number };

/** Returns the powers of ten around the values. */
export function axisOf(values: readonly number[]): Axis {
  if (values.length === 0) return { from: 0, to: 1 };
  const from = Math.floor(Math.log10(Math.max(MIN_VALUE, Math.min(...values))));
  const to = Math.ceil(Math.log10(Math.max(MIN_VALUE, ...values)));
  return { from, to: Math.max(to, from + 1) };
}

const formatTick = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 2 : 0 });

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Returns the horizontal place of a value. A value outside of the axis stands at its end. */
function placeOf(value: number, { from, to }: Axis): string {
  const share = (Math.log10(Math.max(MIN_VALUE, value)) - from) / (to - from);
  return (LEFT + Math.min(1, Math.max(0, share)) * (WIDTH - LEFT - RIGHT)).toFixed(1);
}

function drawTick(power: number, axis: Axis, bottomY: number): string {
  const x = placeOf(10 ** power, axis);
  return [
    `<line class="grid" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottomY}"/>`,
    `<text x="${x}" y="${bottomY + 18}" text-anchor="middle">${formatTick(10 ** power)}</text>`,
  ].join('');
}

function drawLegend(name: string, index: number): string {
  const x = LEFT + index * LEGEND_STEP;
  return [
    `<circle class="s${index}" cx="${x}" cy="${LEGEND_Y}" r="5"/>`,
    `<text x="${x + 10}" y="${LEGEND_Y + 4}">${escapeText(name)}</text>`,
  ].join('');
}

/** Draws a dot at the median, and a line from the least to the largest value. */
function drawPoint(point: Spread, series: number, axis: Axis, y: number): string[] {
  const [x1, x2, x] = [point.min, point.max, point.median].map((value) => placeOf(value, axis));
  return [
    `<line class="s${series}" stroke-width="2" x1="${x1}" x2="${x2}" y1="${y}" y2="${y}"/>`,
    `<circle class="s${series}" cx="${x}" cy="${y}" r="5"/>`,
  ];
}

function drawRow({ label, points }: Row, index: number, axis: Axis): string[] {
  const y = TOP + index * ROW_HEIGHT + ROW_HEIGHT / 2;
  return [
    `<text x="${LEFT - 12}" y="${y + 4}" text-anchor="end">${escapeText(label)}</text>`,
    ...points.flatMap((point, series) => (point === null ? [] : drawPoint(point, series, axis, y))),
  ];
}

/** Draws a row for each system on a logarithmic axis. */
export function drawDotPlot({ title, unit, series, rows }: DotPlot): string {
  const points = rows.flatMap((row) => row.points.filter((point) => point !== null));
  const axis = axisOf(points.flatMap(({ min, max }) => [min, max]));
  const powers = Array.from({ length: axis.to - axis.from + 1 }, (_, index) => axis.from + index);
  const height = TOP + rows.length * ROW_HEIGHT + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="12" y="22">${escapeText(title)}</text>`,
    ...(series.length > 1 ? series.map(drawLegend) : []),
    ...powers.map((power) => drawTick(power, axis, height - BOTTOM)),
    ...rows.flatMap((row, index) => drawRow(row, index, axis)),
    `<text x="${WIDTH - RIGHT}" y="${height - 6}" text-anchor="end">${escapeText(unit)}</text>`,
    '</svg>\n',
  ].join('\n');
}
