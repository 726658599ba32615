import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { JoinedAnswers, type JoinedAnswersParts } from './joined-answers.ts';
import type { RecordedAnswer } from './recording-store.ts';

type Reading = Parameters<JoinedAnswers['join']>[1];

test('a client that leaves before the store fails leaves no rejection without a handler', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const client = new AbortController();
  const looked = Promise.withResolvers<void>();
  const parts = {
    running: new Map(),
    invalid: new Set(),
    holder: 'here',
    clock: { now: () => 1_000 },
    countRead: async () => client.abort(),
    store: {
      async find() {
        looked.resolve();
        throw new Error('the store is away');
      },
    },
  };
  const joined = new JoinedAnswers(parts as unknown as JoinedAnswersParts);
  const row = { requestId: 'req_1', state: 'running', holder: 'there', heldUntil: 2_000 } as RecordedAnswer;
  const reading = {
    exchange: {
      request: { signal: client.signal },
      headers: {},
      notes: {},
      snapshot: { names: { header: {} } },
    },
    body: { value: {} },
  } as unknown as Reading;
  expect(await joined.join(row, reading)).toBeInstanceOf(Refusal);
  await looked.promise;
  await Bun.sleep(0);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(joined.count).toBe(0);
});

test('an answer whose removal from the store failed frees its idempotency key', async () => {
  const parts = {
    running: new Map(),
    invalid: new Set(['req_2']),
    holder: 'here',
    clock: { now: () => 1_000 },
  };
  const joined = new JoinedAnswers(parts as unknown as JoinedAnswersParts);
  const made = { state: 'made', holder: 'here', heldUntil: 2_000, replaysUntil: 5_000, backgroundId: null };
  const isOver = (requestId: string) => joined.isOver({ ...made, requestId } as RecordedAnswer);
  expect([await isOver('req_1'), await isOver('req_2')]).toEqual([false, true]);
});
