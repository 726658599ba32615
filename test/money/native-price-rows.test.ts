import { afterAll, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/base/lib/units.ts';
import { batchClient, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import { nativeConfig, nativeItems } from '../support/native-gateway.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

/**
 * The upstream counts 1,000 tokens in and 50 out. A dollar per million tokens is 500 micro-credits a token.
 */
const BASE = 1_000 * 250 + 50 * 1_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const upstream = startNativeUpstream();
const prices = (conditions: Json[]) => ({ input: 0.5, output: 2, cached_input: null, conditions });
const config = nativeConfig(
  upstream.url,
  prices([
    { name: 'long-now', above_input_tokens: 999, until: inDays(0.5), factor: 3 },
    { name: 'now', until: inDays(0.5), factor: 2 },
  ]),
);
const server = await startServer({ config, environment: { TOLLGATE_TEST_CLOCK: '1' } });
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
upstream.endAtOnce(false);

test('an item of a native batch costs the row of its creation even after changes of prices [CRD-54]', async () => {
  const key = await server.createKey('max');
  const client = batchClient(server, { flavor: messagesFlavor, key: key.key });
  const items = (prompts: readonly string[]) =>
    nativeItems(messagesFlavor, ['claude'], { prompts, fields: { max_tokens: 1_000 } });
  const native = (requests: Json[]) =>
    client.create([], { fields: { processing_mode: 'native-required', requests } });
  const { id } = await native(items(['one', 'two']));
  await waitFor(() => upstream.taken() === 2);
  await server.admin('POST', '/test/clock', { advance_s: 0.6 * 86_400 });
  const higher = nativeConfig(upstream.url, prices([{ name: 'always', factor: 10 }]));
  server.configure(higher);
  expect((await server.reload()).status).toBe(200);
  upstream.endAll();
  await client.ended(id);
  const rowsOf = async () =>
    (await ledgerEntries(server, key.account)).map((entry) => [entry.microcredits, entry.receipt.price_row]);
  expect(await rowsOf()).toEqual(Array(2).fill([3 * BASE, 'long-now']));
  expect(await server.ledgerFaults()).toEqual([]);
});
