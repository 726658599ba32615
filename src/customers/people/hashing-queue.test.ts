import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { HashingQueue } from './hashing-queue.ts';

/**
 * Opens a queue whose hashes end when the test says so. `order` has the guests in the order of their turns.
 */
function open(maxWaiting = 4) {
  const queue = new HashingQueue({ atOnce: 1, maxWaiting });
  const order: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, network: string, device?: string) =>
    queue
      .as({ network, device }, () =>
        queue.run(() => {
          order.push(name);
          return new Promise<void>((resolve) => ends.push(resolve));
        }),
      )
      .catch((error) => {
        if (!(error instanceof Refusal)) throw error;
        expect(error.details.retryAfterMs).toBeGreaterThanOrEqual(1_000);
        refused.push(name);
      });
  const finish = async (count: number) => {
    for (let index = 0; index < count; index++) {
      ends.shift()!();
      await Bun.sleep(0);
    }
  };
  return { add, finish, order, refused };
}

test('networks take turns in the queue for hashing [AUT-33]', async () => {
  const { add, finish, order } = open();
  for (const name of ['a1', 'a2', 'a3']) add(name, 'a');
  add('b1', 'b');
  await finish(4);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('in a full queue, the network with the most places gives one up for another network [AUT-33]', async () => {
  const { add, finish, order, refused } = open();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) add(name, 'a');
  add('b1', 'b');
  await Bun.sleep(0);
  expect(refused).toEqual(['a6', 'a5']);
  await finish(5);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

test('a known device alternates with networks on a place of its own [AUT-33]', async () => {
  const { add, finish, order, refused } = open(2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, 'a');
  add('d1', 'a', 'device');
  add('d2', 'a', 'device');
  await Bun.sleep(0);
  expect(refused).toEqual(['a4', 'd2']);
  await finish(4);
  expect(order).toEqual(['a1', 'd1', 'a2', 'a3']);
});

test('a failed hash gives its place to the next one', async () => {
  const queue = new HashingQueue({ atOnce: 1 });
  const failing = queue.run(() => Promise.reject(new Error('no memory')));
  const next = queue.run(async () => 'hashed');
  await expect(failing).rejects.toThrow('no memory');
  expect(await next).toBe('hashed');
  expect(await queue.run(async () => 'again')).toBe('again');
});
