import { afterAll, expect, test } from 'bun:test';
import { batchClient, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startNativeUpstream } from '../support/native/start-native-upstream.ts';
import { nativeConfig, nativeItems } from '../support/native-gateway.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startNativeUpstream();
const { catalog, ...config } = nativeConfig(upstream.url);
const capable = {
  context_window: 200_000,
  max_output: 2_000,
  capabilities: { tools: true, reasoning: true, vision: true, documents: true },
};
const server = await startServer({
  config: {
    ...config,
    catalog: { ...catalog, models: catalog.models.map((model: Json) => ({ ...model, ...capable })) },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});

const own = { name: 'own', input_schema: { type: 'object' } };
const fetchTool = { type: 'web_fetch_20250910', name: 'web_fetch' };

test.each([
  [40, [{ ...fetchTool, max_uses: 2, max_content_tokens: 25_000 }, own]],
  [1, [own]],
])('an item of a native batch, of a key with %i credits, has the hosted tools that its cap pays [CRD-49]', async (credits, expected) => {
  upstream.forget();
  upstream.endAtOnce(true);
  const { key, account } = await server.createKey('max', { monthly_cap_usd: credits / 500 });
  const client = batchClient(server, { flavor: messagesFlavor, key });
  const fields = { max_tokens: 100, tools: [fetchTool, own] };
  const requests = nativeItems(messagesFlavor, ['claude'], { prompts: ['one'], fields });
  const batch = await client.create([], { fields: { processing_mode: 'native-required', requests } });
  expect((await client.ended(batch.id)).request_counts.succeeded).toBe(1);
  expect(upstream.bodies.map(({ tools }) => tools)).toEqual([expected]);
  const [entry] = (await usageEntries(server, account)) as [Json];
  expect(entry.receipt.held_microcredits).toBeLessThanOrEqual(credits * 1e6);
});
