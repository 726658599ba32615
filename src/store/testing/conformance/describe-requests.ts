import { describe, expect } from 'bun:test';
import { HOUR_MS } from '../../../base/lib/units.ts';
import type { RequestGroup } from '../../../watch/requests/request-store.ts';
import { type OpenStore, type StoreTest, storeTest, type TestedStore } from './store-test.ts';
import { textSamples } from './text-samples.ts';

const MAX_RECORDS = 100_000;

const group = (fields: Partial<RequestGroup> = {}): RequestGroup => ({
  accountId: 'acct_a',
  endedAt: 1_000,
  firstId: 'req_1',
  lastId: 'req_5',
  count: 1,
  lines: '{}',
  ...fields,
});

const everyGroup = (store: TestedStore) => store.listRequests({ endedFrom: 0, limit: 1_000 });

export function describeRequests(open: OpenStore): void {
  describe('requests', () => {
    const check = storeTest(open);
    checkReading(check);
    checkBounds(check);
  });
}

function checkReading(check: StoreTest): void {
  check('keeps groups of records as they were added, even after a restart', async ({ store, reopen }) => {
    const groups = textSamples.map((text, index) =>
      group({ endedAt: index, count: index + 1, lines: JSON.stringify({ text }) }),
    );
    await store.addRequests(groups, MAX_RECORDS);
    const kept = await everyGroup(await reopen());
    expect(kept.map(({ sequence: _, ...rest }) => rest).reverse()).toEqual(groups);
  });

  check('lists groups latest first, in pages, by account and by time', async ({ store }) => {
    for (let at = 0; at < 10; at++)
      await store.addRequests(
        [group({ endedAt: at, accountId: at % 2 === 0 ? 'acct_a' : 'acct_b' })],
        MAX_RECORDS,
      );
    const times = async (query: object) =>
      (await store.listRequests({ endedFrom: 0, limit: 1_000, ...query })).map(({ endedAt }) => endedAt);
    expect(await times({})).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await times({ accountId: 'acct_a' })).toEqual([8, 6, 4, 2, 0]);
    expect(await times({ accountId: 'acct_none' })).toEqual([]);
    expect(await times({ endedFrom: 3, endedBefore: 6 })).toEqual([5, 4, 3]);
    expect(await times({ accountId: 'acct_b', endedFrom: 3, limit: 2 })).toEqual([9, 7]);
    const [, second] = await store.listRequests({ endedFrom: 0, limit: 2 });
    expect(await times({ before: second!.sequence, limit: 3 })).toEqual([7, 6, 5]);
    expect(await times({ after: second!.sequence - 3 })).toEqual([9, 8, 7, 6]);
    expect(await times({ after: second!.sequence, accountId: 'acct_b' })).toEqual([9]);
    expect(await times({ after: second!.sequence + 1 })).toEqual([]);
  });

  check('lists the groups of a time among many earlier ones', async ({ store }) => {
    for (let at = 1; at <= 10; at++) await store.addRequests([group({ endedAt: at * HOUR_MS })], MAX_RECORDS);
    const times = async (query: object) =>
      (await store.listRequests({ endedFrom: 0, limit: 100, ...query })).map(
        ({ endedAt }) => endedAt / HOUR_MS,
      );
    expect(await times({ endedFrom: 8 * HOUR_MS })).toEqual([10, 9, 8]);
    expect(await times({ endedFrom: 7.5 * HOUR_MS, accountId: 'acct_a' })).toEqual([10, 9, 8]);
    expect(await times({ endedFrom: 11 * HOUR_MS })).toEqual([]);
    expect(await times({ endedFrom: HOUR_MS / 2, limit: 2 })).toEqual([10, 9]);
  });

  check('finds the groups that may hold an id', async ({ store }) => {
    await store.addRequests(
      [
        group({ endedAt: 1, firstId: 'req_1', lastId: 'req_3' }),
        group({ endedAt: 2, firstId: 'req_2', lastId: 'req_2' }),
        group({ endedAt: 3, firstId: 'req_4', lastId: 'req_6' }),
      ],
      MAX_RECORDS,
    );
    const holding = async (id: string, query: object = {}) =>
      (await store.listRequests({ endedFrom: 0, limit: 10, id, ...query })).map(({ endedAt }) => endedAt);
    expect(await holding('req_2')).toEqual([2, 1]);
    expect(await holding('req_2', { endedFrom: 2 })).toEqual([2]);
    expect(await holding('req_2', { limit: 1 })).toEqual([2]);
    expect(await holding('req_5')).toEqual([3]);
    expect(await holding('req_7')).toEqual([]);
    expect(await store.listRequests({ endedFrom: 0, limit: 10, accountId: 'acct_\0' })).toEqual([]);
  });
}

function checkBounds(check: StoreTest): void {
  check('removes the oldest groups of an account that has too many records', async ({ store }) => {
    for (let at = 0; at < 5; at++) await store.addRequests([group({ endedAt: at, count: 10 })], 30);
    await store.addRequests([group({ endedAt: 9, accountId: 'acct_b', count: 10 })], 30);
    expect((await everyGroup(store)).map(({ endedAt }) => endedAt)).toEqual([9, 4, 3, 2]);
    await store.addRequests([group({ endedAt: 10, count: 25 })], 30);
    expect((await everyGroup(store)).map(({ endedAt }) => endedAt)).toEqual([10, 9]);
  });

  check('removes expired groups, some at a time', async ({ store }) => {
    for (let at = 0; at < 5; at++) await store.addRequests([group({ endedAt: at, count: 10 })], MAX_RECORDS);
    expect(await store.sweepRequests({ endedBefore: 4, limit: 3 })).toBe(3);
    expect(await store.sweepRequests({ endedBefore: 4, limit: 3 })).toBe(1);
    expect(await store.sweepRequests({ endedBefore: 4, limit: 3 })).toBe(0);
    expect((await everyGroup(store)).map(({ endedAt }) => endedAt)).toEqual([4]);
    await store.addRequests([group({ endedAt: 5, count: 20 })], 30); // the removed records no longer count
    expect((await everyGroup(store)).map(({ endedAt }) => endedAt)).toEqual([5, 4]);
  });
}
