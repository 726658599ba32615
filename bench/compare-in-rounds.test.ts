import { expect, test } from 'bun:test';
import { differenceInRounds, ratioInRounds } from './compare-in-rounds.ts';

const rows = [
  { round: 1, value: 10 },
  { round: 2, value: 30 },
];
const read = ({ value }: { value: number }) => value;

test('pairs only measurements of the same round', () => {
  const baseline = [{ round: 2, value: 10 }];
  expect(ratioInRounds({ rows, baseline }, read)).toEqual({ median: 3, min: 3, max: 3 });
  expect(differenceInRounds({ rows, baseline }, read)).toEqual({ median: 20, min: 20, max: 20 });
  expect(ratioInRounds({ rows, baseline: [] }, read)).toBeNull();
});

test('leaves out figures that were not measured', () => {
  expect(ratioInRounds({ rows, baseline: [{ round: 1, value: 0 }] }, read)).toBeNull();
  expect(ratioInRounds({ rows, baseline: rows }, () => null)).toBeNull();
});
