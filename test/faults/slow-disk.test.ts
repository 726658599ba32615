import { afterAll, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { DONE } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  askForStream,
  openFaultyGateway,
  openStream,
  restOf,
  switchOff,
  switchOn,
} from './faulty-gateway.ts';

const gateway = openFaultyGateway();
afterAll(gateway.close);

const STREAMS = 100;

test('a slow flush delays the ends of answers and nothing else', async () => {
  const unflushed = gateway.switchFile('unflushed');
  const server = await gateway.start({ unflushedWhile: unflushed });
  const key = await server.createKey('pro');
  expect(await askForStream(server.url, key.key)).toContain(DONE);
  switchOn(unflushed);
  const reader = (await openStream(server.url, key.key)).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('one ');
  let ended = 0;
  const rest = restOf(reader).finally(() => ended++);
  gateway.upstream.forget();
  const others = Array.from({ length: STREAMS }, () =>
    askForStream(server.url, key.key).finally(() => ended++),
  );
  // Requests are still admitted and sent to their upstream.
  await waitFor(() => gateway.upstream.requests.length === STREAMS);
  expect((await server.call('/healthz')).status).toBe(200);
  expect((await server.call('/v1/models', { headers: bearer(key.key) })).status).toBe(200);
  expect(ended).toBe(0);
  switchOff(unflushed);
  for (const text of await Promise.all([rest, ...others])) expect(text).toContain(DONE);
  expect(await usageEntries(server, key.account)).toHaveLength(STREAMS + 2);
  expect(gateway.contradictions()).toEqual([]);
});
