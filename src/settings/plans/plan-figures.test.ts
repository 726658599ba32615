import { expect, test } from 'bun:test';
import { builtinPlans } from './plan.ts';
import { figuresOfRow, planFields, rowOfFigures } from './plan-figures.ts';

test('every figure is read back under its one name of the configuration', () => {
  const figures = figuresOfRow(rowOfFigures(builtinPlans[0]!));
  expect(Object.keys(figures).sort()).toEqual([...Object.values(planFields)].sort());
  expect(builtinPlans[0]).toMatchObject(figures);
});

test('figures that are not set stay out of the row', () => {
  expect(rowOfFigures({ credits: 3 })).toEqual({ credits: 3 });
  expect(figuresOfRow({ tokens_per_day: null })).toEqual({ tokensPerDay: null });
});
