import { expect, test } from 'bun:test';
import { descriptorLimit } from './descriptor-limit.ts';

const limits = (soft: string) =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}                 4096                 files\n`;

test('reads the soft limit if there is one and it is shown', () => {
  expect(descriptorLimit(limits('600'))).toBe(600);
  expect(descriptorLimit(limits('unlimited'))).toBeUndefined();
  expect(descriptorLimit('')).toBeUndefined();
});
