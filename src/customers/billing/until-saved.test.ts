import { expect, test } from 'bun:test';
import { untilSaved } from './until-saved.ts';

test('an attempt is repeated while other writers are faster, at most eight times', async () => {
  let attempts = 0;
  const savedAt = (wanted: number) => async () => (++attempts < wanted ? 'conflict' : attempts);
  expect(await untilSaved('the record', savedAt(3))).toBe(3);
  attempts = 0;
  expect(await untilSaved('the record', savedAt(8))).toBe(8);
  attempts = 0;
  await expect(untilSaved('the record', savedAt(9))).rejects.toThrow(
    'Other writers keep changing the record.',
  );
});
