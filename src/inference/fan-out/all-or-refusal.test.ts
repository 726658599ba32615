import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { allOrRefusal } from './all-or-refusal.ts';

test('returns the results in order, whatever the order of completion', async () => {
  const run = async (index: number) => {
    await Bun.sleep(4 - index);
    return index;
  };
  expect(await allOrRefusal({ items: [0, 1, 2, 3], maxConcurrent: 3, run, callOff() {} })).toEqual([
    0, 1, 2, 3,
  ]);
});

test('returns the first refusal, ends the running tasks and starts no more', async () => {
  const begun: number[] = [];
  const controller = new AbortController();
  const refusal = new Refusal('upstream_overloaded');
  const ended = new Promise<Refusal>((resolve) =>
    controller.signal.addEventListener('abort', () => resolve(new Refusal('internal_error'))),
  );
  const answer = await allOrRefusal<number, number>({
    items: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    maxConcurrent: 2,
    run: (index) => {
      begun.push(index);
      return index === 0 ? ended : Promise.resolve(refusal);
    },
    callOff: () => controller.abort(),
  });
  expect(answer).toBe(refusal);
  expect(begun).toEqual([0, 1]);
});
