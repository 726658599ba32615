import { expect, test } from 'bun:test';
import { failureReporter } from './failure-reporter.ts';

test('an equal failure is logged once a minute, and another one at once', () => {
  let now = 0;
  const lines: unknown[] = [];
  const logger = {
    error: (event: string, fields?: object) => void lines.push({ event, at: now, ...fields }),
  };
  const report = failureReporter({ logger, clock: { now: () => now } }, 'not-written', 'sums');
  for (const error of ['full', 'full', 'gone', 'gone']) report(error);
  now = 59_999;
  report('gone');
  now = 60_000;
  report('gone');
  expect(lines).toEqual([
    { event: 'not-written', at: 0, what: 'sums', error: 'full' },
    { event: 'not-written', at: 0, what: 'sums', error: 'gone' },
    { event: 'not-written', at: 60_000, what: 'sums', error: 'gone' },
  ]);
});
