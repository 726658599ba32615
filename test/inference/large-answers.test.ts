import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const content = 'Grüße, "words"\n'.repeat(400_000);
const answer = JSON.stringify({
  id: 'hidden',
  object: 'chat.completion',
  created: 1,
  model: 'hidden',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const failure = JSON.stringify({ error: { message: `hidden ${content}`, code: 500 } });
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const isFailing = (await request.text()).includes('failing');
    return new Response(isFailing ? failure : answer, { headers: { 'content-type': 'application/json' } });
  },
});
const url = `http://127.0.0.1:${upstream.port}/v1`;
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    plans: wideLimits,
    providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: url }],
    catalog: {
      default: false,
      models: ['large', 'failing'].map((id) => ableModel(id, [{ provider: 'hidden-host', model: id }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
});
const { key } = await server.createKey('enterprise');
const headers = { ...bearer(key), 'x-api-key': key };

type Said = (body: ReturnType<typeof JSON.parse>) => unknown;
const dialects: [string, object, Said][] = [
  ['/v1/chat/completions', chatBody('large'), ({ choices }) => choices[0].message.content],
  ['/v1/messages', chatBody('large', { max_tokens: 9 }), ({ content: [part] }) => part.text],
  ['/v1/responses', { model: 'large', input: 'hi' }, ({ output }) => output[0].content[0].text],
];

test.each(dialects)('delivers and counts an answer of 7 MB to %s completely', async (path, body, said) => {
  const { status, body: answered } = await server.call(path, { headers, body });
  expect(status).toBe(200);
  expect(said(answered) === content).toBe(true);
  expect(answered.model).toBe('large');
  expect(JSON.stringify({ ...answered, choices: [], output: [], content: [] })).not.toContain('hidden');
});

test('treats a failure of 7 MB within an answer as a failure, and reveals nothing of the upstream', async () => {
  const { status, body } = await server.call('/v1/chat/completions', { headers, body: chatBody('failing') });
  expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
  expect(JSON.stringify(body)).not.toContain('hidden');
});
