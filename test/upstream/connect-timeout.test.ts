import { afterAll, expect, test } from 'bun:test';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startDeafListener } from '../support/start-deaf-listener.ts';
import { startServer } from '../support/start-server.ts';

const deaf = await startDeafListener();
const timeouts = { connect_ms: 100, first_byte_ms: 30_000 };
const server = await startServer({
  config: {
    providers: [{ id: 'deaf', wire: 'openai-chat', base_url: deaf.url, timeouts }],
    catalog: {
      default: false,
      models: [sampleModel('unheard', { routes: [{ provider: 'deaf', model: 'x' }] })],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await deaf.stop();
});

test('connect_ms bounds the time to connect [ADM-39]', async () => {
  const startedAt = performance.now();
  expectRefusal(await server.chat(server.firstKey, 'unheard'), 504, 'upstream_timeout');
  expect(performance.now() - startedAt).toBeWithin(95, 20_000);
});
