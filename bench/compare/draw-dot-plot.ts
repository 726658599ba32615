import type { Spread } from '../benchmark-report.ts';

export type DotPlot = {
  title: string;
  /** The unit of the values, below the axis. */
  unit: string;
  /** The names of the series, in the order of each row's points. */
  series: readonly string[];
  /** A point is null if there is no value. */
  rows: readonly { label: string; points: readonly (Spread | null)[] }[];
};

const width = 720;
const rowHeight = 30;
const left = 150;
const right = 30;
const top = 64;
const bottom = 44;
const smallest = 0.01;

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

/** Returns the powers of ten around the values. */
export function axisOf(values: readonly number[]): { from: number; to: number } {
  if (values.length === 0) return { from: 0, to: 1 };
  const from = Math.floor(Math.log10(Math.max(smallest, Math.min(...values))));
  const to = Math.ceil(Math.log10(Math.max(smallest, ...values)));
  return { from, to: Math.max(to, from + 1) };
}

const formatTick = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 1 ? 2 : 0 });

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * Draws a row for each system on a logarithmic axis: a dot at the median, and a line from
 * the least to the largest value.
 */
export function drawDotPlot({ title, unit, series, rows }: DotPlot): string {
  const points = rows.flatMap((row) => row.points.filter((point) => point !== null));
  const { from, to } = axisOf(points.flatMap(({ min, max }) => [min, max]));
  const scale = (value: number) => {
    const share = (Math.log10(Math.max(smallest, value)) - from) / (to - from);
    return (left + Math.min(1, Math.max(0, share)) * (width - left - right)).toFixed(1);
  };
  const height = top + rows.length * rowHeight + bottom;
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const axis = ticks.map((value) => {
    const x = scale(value);
    return (
      `<line class="grid" x1="${x}" x2="${x}" y1="${top}" y2="${height - bottom}"/>` +
      `<text x="${x}" y="${height - bottom + 18}" text-anchor="middle">${formatTick(value)}</text>`
    );
  });
  const legend = series.map(
    (name, index) =>
      `<circle class="s${index}" cx="${left + index * 110}" cy="44" r="5"/>` +
      `<text x="${left + 10 + index * 110}" y="48">${escapeText(name)}</text>`,
  );
  const marks = rows.flatMap((row, at) => {
    const y = top + at * rowHeight + rowHeight / 2;
    const dots = row.points.flatMap((point, index) =>
      point === null
        ? []
        : [
            `<line class="s${index}" stroke-width="2" x1="${scale(point.min)}" x2="${scale(point.max)}" y1="${y}" y2="${y}"/>`,
            `<circle class="s${index}" cx="${scale(point.median)}" cy="${y}" r="5"/>`,
          ],
    );
    return [`<text x="${left - 12}" y="${y + 4}" text-anchor="end">${escapeText(row.label)}</text>`, ...dots];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="12" y="22">${escapeText(title)}</text>`,
    ...(series.length > 1 ? legend : []),
    ...axis,
    ...marks,
    `<text x="${width - right}" y="${height - 6}" text-anchor="end">${escapeText(unit)}</text>`,
    '</svg>\n',
  ].join('\n');
}
