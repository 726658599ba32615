import { expect, test } from 'bun:test';
import { axisOf, drawDotPlot } from './draw-dot-plot.ts';

const at = (value: number) => ({ median: value, min: value, max: value });

test('the axis has the powers of ten around the values', () => {
  expect(axisOf([3, 250])).toEqual({ from: 0, to: 3 });
  expect(axisOf([10])).toEqual({ from: 1, to: 2 });
  expect(axisOf([-5, 20])).toEqual({ from: -2, to: 2 });
  expect(axisOf([])).toEqual({ from: 0, to: 1 });
});

test('draws a dot for each value and none for a missing one', () => {
  const svg = drawDotPlot({
    title: 'CPU & time',
    unit: 'µs',
    series: ['one', 'two'],
    rows: [
      { label: 'haproxy', points: [at(10), at(1_000)] },
      { label: 'a < b', points: [at(100), null] },
    ],
  });
  expect(svg.match(/<circle class="s\d" cx="[\d.]+" cy="(?!44)/g)).toHaveLength(3);
  expect(svg).toContain('a &lt; b');
  expect(svg).toContain('CPU &amp; time');
  // The middle of the axis from 10 to 1,000.
  expect(svg).toContain('cx="420.0"');
});
