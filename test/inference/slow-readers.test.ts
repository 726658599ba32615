import { afterAll, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator();
const wire = 'openai-chat';
const server = await startServer({
  config: {
    providers: [{ id: 'host', wire, base_url: upstream.url + wirePrefix[wire] }],
    catalog: {
      default: false,
      models: [ableModel('cut', [{ provider: 'host', model: 'hidden!cut-after=12' }])],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key: apiKey } = await server.createKey('enterprise');
const openai = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'count to 50' }];

const asking = {
  chat: () => openai.chat.completions.create({ model: 'cut', messages, stream: true }).withResponse(),
  responses: () =>
    openai.responses.create({ model: 'cut', input: 'count to 50', stream: true }).withResponse(),
  messages: () =>
    anthropic.messages.create({ model: 'cut', max_tokens: 90, messages, stream: true }).withResponse(),
};

// A connection that closes without the last chunk would discard what the reader has not read yet.
test.each(
  Object.entries(asking),
)('a slow reader of %s gets the whole text and then the error [STR-12]', async (_, ask) => {
  const { data, response } = await ask();
  const id = response.headers.get('x-svc-request-id')!;
  let events = 0;
  const reading = (async () => {
    for await (const _event of data as AsyncIterable<unknown>) {
      if (events++ === 0) await waitFor(() => server.log().includes(id));
    }
  })();
  await expect(reading).rejects.toMatchObject({ error: expect.anything() });
  expect(events).toBeGreaterThan(5);
});
