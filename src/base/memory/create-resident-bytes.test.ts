import { expect, test } from 'bun:test';
import { createResidentBytes } from './create-resident-bytes.ts';

test('the resident size of the process is the last known one while it cannot be read', () => {
  const readings = [100, undefined, undefined, 300];
  const residentBytes = createResidentBytes(() => {
    const bytes = readings.shift();
    if (bytes === undefined) throw new Error('Failed to get memory usage');
    return bytes;
  });
  expect([residentBytes(), residentBytes(), residentBytes(), residentBytes()]).toEqual([100, 100, 100, 300]);
  expect(createResidentBytes()()).toBeGreaterThan(1_000_000);
});
