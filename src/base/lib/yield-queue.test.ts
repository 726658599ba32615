import { expect, test } from 'bun:test';
import { YieldQueue } from './yield-queue.ts';

test('lets waiting tasks continue one after the other, one for each round of the event loop', async () => {
  const yieldQueue = new YieldQueue();
  const order: string[] = [];
  const work = async (name: string) => {
    for (let slice = 0; slice < 3; slice++) {
      await yieldQueue.next();
      order.push(name);
    }
  };
  let rounds = 0;
  let isOver = false;
  const other = () => {
    rounds++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await Promise.all([work('a'), work('b')]);
  isOver = true;
  expect(order.join('')).toBe('ababab');
  expect(rounds).toBeGreaterThanOrEqual(6);
});
