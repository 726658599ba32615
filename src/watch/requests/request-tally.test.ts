import { expect, test } from 'bun:test';
import { RequestTally } from './request-tally.ts';
import type { RequestSum } from './usage-store.ts';

const sum = (fields: Partial<RequestSum> = {}): RequestSum => ({
  accountId: 'acct_a',
  hour: 1,
  key: 'key_1',
  model: 'm',
  user: '',
  code: '',
  requests: 1,
  errors: 0,
  inputTokens: 10,
  cachedInputTokens: 4,
  outputTokens: 2,
  microcredits: 7,
  ...fields,
});

function setUp(write: () => Promise<void> = async () => {}) {
  const writes: (readonly RequestSum[])[] = [];
  const failures: unknown[] = [];
  const tally = new RequestTally({
    store: {
      async addRequestSums(sums) {
        writes.push(sums);
        await write();
      },
    },
    onFailure: (error) => failures.push(error),
  });
  return { tally, writes, failures };
}

test('requests of the same hour, key, model, user and code share a sum', async () => {
  const { tally, writes } = setUp();
  tally.add(sum({ user: 'ada' }));
  tally.add(sum({ user: 'ada' }));
  tally.add(sum({ user: 'bo' }));
  await tally.flush();
  await tally.flush();
  expect(writes).toEqual([
    [
      sum({
        user: 'ada',
        requests: 2,
        inputTokens: 20,
        cachedInputTokens: 8,
        outputTokens: 4,
        microcredits: 14,
      }),
      sum({ user: 'bo' }),
    ],
  ]);
});

test('the number of waiting sums is bounded without a loss of requests', async () => {
  const { tally, writes } = setUp();
  for (let index = 0; index < 5_000; index++) tally.add(sum({ user: `user-${index}`, code: 'invalid_json' }));
  for (let index = 0; index < 5_000; index++)
    tally.add(sum({ model: `model-${index}`, code: 'invalid_json' }));
  await tally.flush();
  const [sums] = writes;
  expect(sums!.length).toBeLessThan(2_010);
  expect(sums!.reduce((total, { requests }) => total + requests, 0)).toBe(10_000);
});

test('a failed write is counted and reported', async () => {
  const { tally, failures } = setUp(() => Promise.reject(new Error('away')));
  tally.add(sum());
  await tally.flush();
  expect(tally.lost).toBe(1);
  expect(failures).toEqual([new Error('away')]);
});
