import { expect, test } from 'bun:test';
import { CallIds } from './call-ids.ts';

test('results find their calls by id, or else by name and order', () => {
  const ids = new CallIds();
  const calls = [ids.ofCall('find', undefined), ids.ofCall('find', 'a'), ids.ofCall('save', undefined)];
  expect(calls).toEqual(['call_0001', 'a', 'call_0002']);
  const results = [
    ids.ofResult('save', undefined),
    ids.ofResult('find', 'a'),
    ids.ofResult('find', undefined),
  ];
  expect(results).toEqual(['call_0002', 'a', 'call_0001']);
});

test('an id that a later turn uses again becomes another id, with its result', () => {
  const ids = new CallIds();
  const turn = (clientId: string) => [ids.ofCall('find', clientId), ids.ofResult('find', clientId)];
  expect(turn('unnamed-0')).toEqual(['unnamed-0', 'unnamed-0']);
  expect(turn('unnamed-0_2')).toEqual(['unnamed-0_2', 'unnamed-0_2']);
  expect(turn('unnamed-0')).toEqual(['unnamed-0_3', 'unnamed-0_3']);
  expect(turn('call_0001')).toEqual(['call_0001', 'call_0001']);
  expect(ids.ofCall('find', undefined)).toBe('call_0001_2');
});

test('a result without a call keeps its id, or gets a new one', () => {
  const ids = new CallIds();
  expect(ids.ofResult('find', 'a')).toBe('a');
  expect(ids.ofResult('find', undefined)).toBe('call_0001');
});

test('names a hundred thousand calls and results that do not match in a moment', () => {
  const ids = new CallIds();
  const start = performance.now();
  for (let index = 0; index < 100_000; index++) ids.ofCall('find', index % 2 === 0 ? 'a' : undefined);
  for (let index = 0; index < 100_000; index++) ids.ofResult('save', undefined);
  expect(performance.now() - start).toBeLessThan(2_000);
});
