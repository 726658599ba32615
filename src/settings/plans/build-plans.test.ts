import { expect, test } from 'bun:test';
import { buildPlans } from './build-plans.ts';
import { builtinPlans } from './plan.ts';

test('a configuration without plans has the built-in table', () => {
  expect(Object.values(buildPlans({}))).toEqual([...builtinPlans]);
});

test('a row replaces the figures that it names and keeps the others', () => {
  const [plan] = builtinPlans;
  const plans = buildPlans({ [plan!.id]: { credits: 7, tokens_per_day: null } });
  expect(plans[plan!.id]).toEqual({ ...plan!, credits: 7, tokensPerDay: null });
  const others = builtinPlans.filter(({ id }) => id !== plan!.id);
  expect(others.map(({ id }) => plans[id])).toEqual(others);
});
