import { expect, test } from 'bun:test';
import { Refusal } from './refusal.ts';
import { refusalOfError } from './refusal-of-error.ts';
import { Unavailable } from './unavailable.ts';

test('a bug is an internal error, and nothing of its text is said', () => {
  const { code, message } = refusalOfError(new Error('/secret/path'));
  expect([code, message]).toEqual(['internal_error', 'An internal error occurred.']);
});

test('what an operator can mend is a lack of capacity that points to the probe, without a path', () => {
  const refusal = refusalOfError(new Unavailable('/secret/path is away', 'put it back'));
  expect([refusal.code, refusal.status]).toEqual(['capacity_unavailable', 503]);
  expect(refusal.message).toContain('/readyz');
  expect(refusal.message).not.toContain('secret');
});

test('a refusal that was thrown stays what it is', () => {
  const refusal = new Refusal('not_found');
  expect(refusalOfError(refusal)).toBe(refusal);
});
