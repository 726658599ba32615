import { expect, test } from 'bun:test';
import { closeAll } from './close-all.ts';

test('a part that cannot be closed keeps no other part open', async () => {
  const closed: number[] = [];
  const failing = (name: string) => () => Promise.reject(new Error(name));
  const closings = [() => closed.push(1), failing('first'), () => closed.push(2), failing('second')];
  await expect(closeAll(closings)).rejects.toThrow('first');
  expect(closed).toEqual([1, 2]);
});
