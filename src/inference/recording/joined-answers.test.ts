import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { JoinedAnswers, type JoinedAnswersParts } from './joined-answers.ts';
import type { RecordedAnswer, RecordingStore } from './recording-store.ts';

type Reading = Parameters<JoinedAnswers['join']>[1];

const joinedWith = (parts: Partial<JoinedAnswersParts>) =>
  new JoinedAnswers(
    partial<JoinedAnswersParts>({
      running: new Map(),
      invalid: new Set(),
      holder: 'here',
      clock: { now: () => 1_000 },
      ...parts,
    }),
  );

test('a client that leaves before the store fails leaves no rejection without a handler', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const client = new AbortController();
  const looked = Promise.withResolvers<void>();
  const joined = joinedWith({
    countRead: async () => {
      client.abort();
      return undefined;
    },
    store: partial<RecordingStore>({
      async find() {
        looked.resolve();
        throw new Error('the store is away');
      },
    }),
  });
  const row = partial<RecordedAnswer>({
    requestId: 'req_1',
    state: 'running',
    holder: 'there',
    heldUntil: 2_000,
  });
  const request = new Request('http://answers.invalid/', { signal: client.signal });
  const reading = partial<Reading>({ exchange: sampleExchange({ request }), body: knownBody('{}', {}) });
  expect(await joined.join(row, reading)).toBeInstanceOf(Refusal);
  await looked.promise;
  await Bun.sleep(0);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  expect(joined.count).toBe(0);
});

test('an answer whose removal from the store failed frees its idempotency key', async () => {
  const joined = joinedWith({ invalid: new Set(['req_2']) });
  const isOver = (requestId: string) =>
    joined.isOver(
      partial<RecordedAnswer>({
        requestId,
        state: 'made',
        holder: 'here',
        heldUntil: 2_000,
        replaysUntil: 5_000,
        backgroundId: null,
      }),
    );
  expect(await isOver('req_1')).toBe(false);
  expect(await isOver('req_2')).toBe(true);
});
