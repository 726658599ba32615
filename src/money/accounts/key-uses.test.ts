import { expect, test } from 'bun:test';
import type { KeyUse } from './key-use-store.ts';
import { KeyUses, MAX_WAITING } from './key-uses.ts';

function setUp() {
  const stored = new Map<string, number>();
  const writes: (readonly KeyUse[])[] = [];
  const state = { isAway: false };
  const failures: unknown[] = [];
  const uses = new KeyUses({
    store: {
      async saveKeyUses(uses) {
        if (state.isAway) throw new Error('away');
        writes.push(uses);
        for (const { keyId, at } of uses) stored.set(keyId, at);
      },
      keyUses: async () => new Map(stored),
    },
    onFailure: (error) => failures.push(error),
  });
  return { uses, stored, writes, failures, state };
}

test('many uses of a key become one write with the latest time', async () => {
  const { uses, writes } = setUp();
  for (let at = 1; at <= 1_000; at++) uses.note('key_a', at);
  expect(await uses.of('acct_a')).toEqual(new Map([['key_a', 1_000]]));
  await uses.flush();
  await uses.flush();
  expect(writes).toEqual([[{ keyId: 'key_a', at: 1_000 }]]);
  expect(await uses.of('acct_a')).toEqual(new Map([['key_a', 1_000]]));
});

test('times that the store refuses wait for the next write', async () => {
  const { uses, stored, failures, state } = setUp();
  uses.note('key_a', 5);
  state.isAway = true;
  await uses.flush();
  expect({ count: stored.size, failureCount: failures.length }).toEqual({ count: 0, failureCount: 1 });
  expect((await uses.of('acct_a')).get('key_a')).toBe(5);
  state.isAway = false;
  await uses.flush();
  expect(stored.get('key_a')).toBe(5);
});

test('the numbers of keys that wait and of those in a write are bounded', async () => {
  const { uses, stored, writes } = setUp();
  for (let index = 0; index < MAX_WAITING + 5; index++) uses.note(`key_${index}`, index);
  uses.note('key_0', 77); // a key that waits already
  await uses.flush();
  expect({ count: stored.size, key0: stored.get('key_0') }).toEqual({ count: MAX_WAITING, key0: 77 });
  expect(Math.max(...writes.map(({ length }) => length))).toBe(256);
});

test('a use during a write is written later', async () => {
  const { uses, stored } = setUp();
  uses.note('key_a', 1);
  const flushed = uses.flush();
  uses.note('key_a', 2);
  await flushed;
  expect(stored.get('key_a')).toBe(1);
  await uses.flush();
  expect(stored.get('key_a')).toBe(2);
});
