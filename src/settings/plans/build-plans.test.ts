import { expect, test } from 'bun:test';
import { buildPlans, figuresOf, planFields, rowOfFigures } from './build-plans.ts';
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

test('every figure is read back under its one name of the configuration', () => {
  const figures = figuresOf(rowOfFigures(builtinPlans[0]!));
  expect(Object.keys(figures).sort()).toEqual([...Object.values(planFields)].sort());
  expect(builtinPlans[0]).toMatchObject(figures);
});

test('figures that are not set stay out of the row', () => {
  expect(rowOfFigures({ credits: 3 })).toEqual({ credits: 3 });
  expect(figuresOf({ tokens_per_day: null })).toEqual({ tokensPerDay: null });
});
