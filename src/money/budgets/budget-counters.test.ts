import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/lib/units.ts';
import type { Budget } from './budget.ts';
import { BudgetCounters } from './budget-counters.ts';

const budget = partial<Budget>({
  scope: 'organization',
  target: null,
  window: 'hour',
  kind: 'sliding',
  counter: 'c',
  limitMicrocredits: 1_000,
  raise: null,
});

test('a sliding window reads as many bins after days as after hours', () => {
  const counters = new BudgetCounters({ budgets: () => [budget], bins: () => [] });
  const spendEachMinute = (from: number, minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      const spender = { keyId: 'k', at: from + minute * MINUTE_MS };
      counters.roomFor(spender, 1);
      counters.spend(spender, 1);
    }
  };
  spendEachMinute(0, 3 * 24 * 60);
  const at = 3 * 24 * HOUR_MS;
  expect(counters.stateOf(budget, '', at).usedMicrocredits).toBe(60);
  let reads = 0;
  const bins = Map.prototype[Symbol.iterator];
  Map.prototype[Symbol.iterator] = function* (this: Map<unknown, unknown>) {
    for (const entry of bins.call(this)) {
      reads++;
      yield entry;
    }
  } as never;
  try {
    counters.stateOf(budget, '', at);
  } finally {
    Map.prototype[Symbol.iterator] = bins;
  }
  expect(reads).toBeLessThan(130);
});
