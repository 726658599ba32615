import { expect, test } from 'bun:test';
import { RequestFollower } from './request-follower.ts';

type Ended = { id: string; ended_at: string };

const at = (id: string, seconds: number): Ended => ({
  id,
  ended_at: new Date(1e12 + seconds * 1_000).toISOString(),
});

/** Follows the requests of a server with these records, in pages of at most three. */
function follow(records: Ended[], filters: { since?: string; status?: string } = {}) {
  const queries: string[] = [];
  const follower = new RequestFollower({
    filters,
    read: async (query) => {
      queries.push(JSON.stringify(query));
      const since = query.since ?? '';
      const sorted = records
        .filter(({ ended_at }) => ended_at >= since)
        .sort((one, other) => (one.ended_at < other.ended_at ? 1 : -1));
      const start = sorted.findIndex(({ id }) => id === query.after) + 1;
      const data = sorted.slice(start, start + Math.min(3, Number(query.limit)));
      return { data, has_more: start + data.length < sorted.length };
    },
  });
  return { follower, queries };
}
const ids = (records: readonly Ended[]) => records.map(({ id }) => id);

test('returns each request after the latest ones once, in the order of their ends', async () => {
  const records = [at('a', 0), at('b', 1), at('c', 1.5), at('d', 2)];
  const { follower } = follow(records);
  expect(ids(await follower.start(2))).toEqual(['c', 'd']);
  expect(ids(await follower.next())).toEqual([]);
  records.push(at('f', 4), at('e', 3));
  expect(ids(await follower.next())).toEqual(['e', 'f']);
  expect(ids(await follower.next())).toEqual([]);
});

test('returns a request that another process recorded late', async () => {
  const records = [at('a', 10)];
  const { follower } = follow(records);
  await follower.start(10);
  records.push(at('b', 20));
  expect(ids(await follower.next())).toEqual(['b']);
  records.push(at('late', 17));
  expect(ids(await follower.next())).toEqual(['late']);
});

test('reads all pages of what was recorded since the last look', async () => {
  const records = [at('a', 0)];
  const { follower } = follow(records);
  await follower.start(10);
  for (let index = 0; index < 10; index++) records.push(at(`n${index}`, 100 + index));
  expect(ids(await follower.next())).toEqual(Array.from({ length: 10 }, (_, index) => `n${index}`));
});

test('starts with nothing on request, or at a time', async () => {
  const records = [at('a', 0), at('b', 1), at('c', 8)];
  const none = follow(records).follower;
  expect(ids(await none.start(0))).toEqual([]);
  expect(ids(await none.next())).toEqual([]);
  const { follower, queries } = follow(records, { since: at('', 1).ended_at, status: '5xx' });
  expect(ids(await follower.start(undefined))).toEqual(['b', 'c']);
  await follower.next();
  expect(queries.every((query) => query.includes('"status":"5xx"'))).toBe(true);
});

test('returns the first request of a server that has none yet', async () => {
  const records: Ended[] = [];
  const { follower } = follow(records);
  expect(await follower.start(10)).toEqual([]);
  expect(await follower.next()).toEqual([]);
  records.push(at('a', 0));
  expect(ids(await follower.next())).toEqual(['a']);
});

test('returns any number of requests that fit the filters', async () => {
  const count = 200_000;
  const page = 1_000;
  const { ended_at } = at('', 0);
  const follower = new RequestFollower({
    filters: { since: ended_at },
    async read({ after = '0' }) {
      const start = Number(after);
      const data = Array.from({ length: page }, (_, index) => ({ id: `${start + index + 1}`, ended_at }));
      return { data, has_more: start + page < count };
    },
  });
  expect(await follower.start(undefined)).toHaveLength(count);
});
