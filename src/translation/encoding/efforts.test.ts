import { expect, test } from 'bun:test';
import { budgetOfEffort, nearestEffort } from './efforts.ts';

const listed = ['high', 'low', 'medium'];

test('an effort that a model does not list becomes the next lower one, or else the lowest', () => {
  expect(nearestEffort('xhigh', listed)).toBe('high');
  expect(nearestEffort('high', ['low', 'medium', 'max'])).toBe('medium');
  expect(nearestEffort('minimal', listed)).toBe('low');
  expect(nearestEffort('none', ['none', ...listed])).toBe('low');
  expect(nearestEffort('high', ['none'])).toBeUndefined();
});

test('an effort that no vendor lists counts as medium, as a level and as a budget', () => {
  expect(nearestEffort('ultra', listed)).toBe('medium');
  expect(nearestEffort('ultra', ['low', 'high'])).toBe('low');
  expect(nearestEffort('ultra', ['high'])).toBe('high');
  expect(budgetOfEffort('ultra')).toBe(budgetOfEffort('medium'));
});
