import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { RecordedStreams, type RecordedStreamsParts } from './recorded-streams.ts';
import type { Recording } from './recording.ts';
import type { RecordedAnswer } from './recording-store.ts';

test('a reader that leaves a silent stream no longer counts as there', async () => {
  const client = new AbortController();
  const left = Promise.withResolvers<string>();
  const recording = partial<Recording>({
    join: () => () => left.resolve('left'),
    frames: partial({ count: 0 }),
    log: partial({ sight: { parts: 0, state: 'open', changed: new Promise(() => {}) } }),
  });
  const row = partial<RecordedAnswer>({
    requestId: 'req_1',
    keyId: 'key_1',
    isResumable: true,
    state: 'running',
    heldUntil: 1,
    path: '',
  });
  const streams = new RecordedStreams(
    partial<RecordedStreamsParts>({
      store: partial({ find: async () => row }),
      clock: { now: () => 0 },
      running: () => recording,
    }),
  );
  const exchange = sampleExchange({
    request: new Request('http://streams.invalid/', { signal: client.signal }),
    snapshot: sampleSnapshot('limits: { keep_alive_s: 60 }'),
  });
  const reply = await streams.read(exchange, { requestId: 'req_1', keyId: 'key_1' });
  if (reply instanceof Refusal) throw reply;
  void asWritten(reply.body)!({ write: () => undefined });
  client.abort();
  expect(await left.promise).toBe('left');
});
