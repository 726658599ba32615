import { expect, test } from 'bun:test';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';
import { ReadMetric } from './read-metric.ts';

test('counts by label values and escapes special characters in labels', () => {
  const counter = new Counter({ name: 'asked_total', help: 'Asked.', labels: ['who', 'what'] });
  counter.add(['a', 'x"\\\n']);
  counter.add(['a', 'x"\\\n'], 2);
  counter.add(['b', 'y']);
  expect(counter.format()).toBe(
    '# HELP asked_total Asked.\n# TYPE asked_total counter\nasked_total{who="a",what="x\\"\\\\\\n"} 3\nasked_total{who="b",what="y"} 1\n',
  );
});

test('a histogram has cumulative buckets up to +Inf', () => {
  const histogram = new Histogram({ name: 'took_seconds', help: 'Took.' }, [1, 2]);
  for (const value of [0.5, 1, 1.5, 9]) histogram.observe([], value);
  expect(histogram.format().split('\n').slice(2)).toEqual([
    'took_seconds_bucket{le="1"} 2',
    'took_seconds_bucket{le="2"} 3',
    'took_seconds_bucket{le="+Inf"} 4',
    'took_seconds_sum 12',
    'took_seconds_count 4',
    '',
  ]);
});

test('reads a bounded number of series of a gauge at each scrape', () => {
  let now = 1;
  const gauge = new ReadMetric({ name: 'now', help: 'Now.' }, () => [[[], now]]);
  now = 2;
  expect(gauge.format()).toContain('\nnow 2\n');
  const counted = new ReadMetric({ name: 'counted_total', help: 'Counted.' }, () => [[[], now]], 'counter');
  expect(counted.format()).toBe(
    '# HELP counted_total Counted.\n# TYPE counted_total counter\ncounted_total 2\n',
  );
  const counter = new Counter({ name: 'many_total', help: 'Many.', labels: ['name'] });
  for (let name = 0; name < 10_000; name++) counter.add([String(name)]);
  expect(counter.format().split('\n').length).toBeLessThan(2_100);
});
