import { expect, test } from 'bun:test';
import { Counter } from './counter.ts';
import { expositionFor } from './exposition.ts';
import { ReadMetric } from './read-metric.ts';

/** The header of Prometheus 2, shortened. */
const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

test('OpenMetrics is sent only to scrapers that prefer it', () => {
  const expected: [accept: string | null, exposition: string][] = [
    [null, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    [PROMETHEUS, 'openmetrics'],
    ['application/openmetrics-text', 'openmetrics'],
    ['text/plain;q=0.9, application/openmetrics-text;q=0.2', 'prometheus'],
    ['application/openmetrics-text;q=0, text/html', 'prometheus'],
    ['application/openmetrics-text;q=nonsense', 'prometheus'],
  ];
  for (const [accept, exposition] of expected)
    expect({ accept, result: expositionFor(accept) }).toEqual({ accept, result: exposition as never });
});

test('OpenMetrics has the suffix of a counter in its samples only', () => {
  const counter = new Counter({ name: 'asked_total', help: 'Asked.' });
  counter.add([]);
  expect(counter.format('openmetrics')).toBe('# HELP asked Asked.\n# TYPE asked counter\nasked_total 1\n');
  const gauge = new ReadMetric({ name: 'now', help: 'Now.' }, () => [[[], 2]]);
  expect(gauge.format('openmetrics')).toBe('# HELP now Now.\n# TYPE now gauge\nnow 2\n');
});
