import { expect, test } from 'bun:test';
import { acceptedOrError } from './accepted-or-error.ts';
import { Refusal } from './refusal.ts';

test('returns a value that was not refused', () => {
  expect(acceptedOrError<number>(7)).toBe(7);
});

test('throws an error with the code, the message and the refusal as its cause', () => {
  const refusal = new Refusal('conflict', { message: 'Another writer was faster.' });
  let thrown: unknown;
  try {
    acceptedOrError(refusal);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).toMatchObject({ message: 'conflict: Another writer was faster.', cause: refusal });
});
