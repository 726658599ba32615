import { expect, test } from 'bun:test';
import { RequestBook } from './request-book.ts';
import { MAX_WAITING, RequestRecorder } from './request-recorder.ts';
import type { GroupQuery, KeptGroup, RequestGroup } from './request-store.ts';

const ended = (requestId: string, accountId = 'acct_a', fields: object = {}) => ({
  accountId,
  requestId,
  durationMs: 1,
  isItem: false,
  line: JSON.stringify({ ended_at: 1, request_id: requestId, account: accountId, duration_ms: 1, ...fields }),
});

function setUp(fields: { isOverloaded?: () => boolean; write?: () => Promise<void> } = {}) {
  const groups: KeptGroup[] = [];
  const failures: unknown[] = [];
  const recorder = new RequestRecorder({
    store: {
      async addRequests(added: readonly RequestGroup[]) {
        await fields.write?.();
        for (const group of added) groups.unshift({ ...group, sequence: groups.length + 1 });
      },
    },
    now: () => 1,
    isOverloaded: fields.isOverloaded ?? (() => false),
    onFailure: (error) => failures.push(error),
  });
  const listRequests = async ({ accountId, before = Number.POSITIVE_INFINITY, id, limit }: GroupQuery) =>
    groups
      .filter((one) => one.sequence < before && (!accountId || one.accountId === accountId))
      .filter((one) => !id || (one.firstId <= id && one.lastId >= id))
      .slice(0, limit);
  const book = new RequestBook({
    store: { listRequests },
    now: () => 1,
    keptMs: () => 1_000,
  });
  return { recorder, groups, failures, book };
}

test('writes the records of an account as one group, and those of late requests as another', async () => {
  const { recorder, groups } = setUp();
  recorder.take(ended('req_2'));
  recorder.take(ended('req_1'));
  recorder.take(ended('req_3', 'acct_b'));
  recorder.take({ ...ended('req_0'), isItem: true });
  await recorder.flush();
  const shown = groups.map(({ accountId, firstId, lastId, count }) => [accountId, firstId, lastId, count]);
  expect(shown.reverse()).toEqual([
    ['acct_a', 'req_1', 'req_2', 2],
    ['acct_b', 'req_3', 'req_3', 1],
    ['acct_a', 'req_0', 'req_0', 1],
  ]);
});

test('drops records while the process is overloaded or the store is slow', async () => {
  let overloaded = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  const { recorder, groups } = setUp({ isOverloaded: () => overloaded, write: () => promise });
  recorder.take(ended('req_1'));
  expect(recorder.dropped).toBe(1);
  overloaded = false;
  for (let count = 0; count < MAX_WAITING + 1_000; count++) recorder.take(ended(`req_${count}`));
  const { dropped } = recorder;
  expect(dropped).toBeGreaterThan(500);
  resolve();
  await recorder.flush();
  expect(groups.reduce((sum, { count }) => sum + count, 0) + dropped).toBe(MAX_WAITING + 1_001);
});

test('reports a failed write, whose records count as dropped', async () => {
  const { recorder, failures } = setUp({ write: () => Promise.reject(new Error('full')) });
  recorder.take(ended('req_1'));
  await recorder.flush();
  expect({ dropped: recorder.dropped, failureCount: failures.length }).toEqual({
    dropped: 1,
    failureCount: 1,
  });
});

test('lists every record once, in pages of any size', async () => {
  const { recorder, book } = setUp();
  const ids: string[] = [];
  for (let count = 0; count < 700; count++) {
    const id = `req_${String(count).padStart(4, '0')}`;
    ids.unshift(id);
    recorder.take(ended(id, 'acct_a', { status: count % 2 === 0 ? 200 : 500 }));
    if (count % 30 === 0) await recorder.flush();
  }
  await recorder.flush();
  for (const limit of [7, 30, 256, 1_000]) {
    const seen: string[] = [];
    for (let after: string | undefined, more = true; more; after = seen.at(-1)) {
      const { items, hasMore } = await book.list({}, { limit, after });
      seen.push(...items.map((one) => one.request_id));
      more = hasMore;
    }
    expect(seen).toEqual(ids);
  }
  const failed = await book.list({ status: '5xx' }, { limit: 1_000 });
  expect(failed.items.length).toBe(350);
  expect(await book.list({}, { limit: 5, after: 'req_none' })).toEqual({ items: [], hasMore: false });
  expect((await book.find('req_0123'))?.request_id).toBe('req_0123');
});
