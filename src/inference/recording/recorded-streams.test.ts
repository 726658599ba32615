import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { RecordedStreams, type RecordedStreamsParts } from './recorded-streams.ts';

test('a reader that leaves a silent stream no longer counts as there', async () => {
  const client = new AbortController();
  const left = Promise.withResolvers<string>();
  const recording = {
    join: () => () => left.resolve('left'),
    frames: { count: 0 },
    log: { sight: { parts: 0, state: 'open', changed: new Promise(() => {}) } },
  };
  const row = {
    requestId: 'req_1',
    keyId: 'key_1',
    isResumable: true,
    state: 'running',
    heldUntil: 1,
    path: '',
  };
  const parts = { store: { find: async () => row }, clock: { now: () => 0 }, running: () => recording };
  const exchange = {
    request: new Request('http://streams.invalid/', { signal: client.signal }),
    snapshot: { config: { retention: { streams_s: 60 }, limits: { keep_alive_s: 60 } } },
  } as unknown as Exchange;
  const streams = new RecordedStreams(parts as unknown as RecordedStreamsParts);
  const reply = await streams.read(exchange, { requestId: 'req_1', keyId: 'key_1' });
  if (reply instanceof Refusal) throw reply;
  void asWritten(reply.body)!({ write: () => undefined });
  client.abort();
  expect(await left.promise).toBe('left');
});
