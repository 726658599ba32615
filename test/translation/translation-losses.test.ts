import { afterAll, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { messagesBody } from '../support/messages-body.ts';
import { streamed } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator();
const part = (fields: Json) => ({
  candidates: [{ content: { role: 'model', parts: [fields] }, ...fields.last }],
});
/** A vendor that signs its text when all of it was sent. */
const signing = Bun.serve({
  port: 0,
  fetch: () =>
    streamed(
      [
        part({ text: 'hello' }),
        part({ text: '', thoughtSignature: 'c2lnbmVk', last: { finishReason: 'STOP' } }),
      ]
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join(''),
    ),
});
const route = (wire: string, model = `hidden-${wire}`) => ({ provider: `hidden-${wire}`, model });
const server = await startServer({
  config: {
    providers: [
      ...chatWires.map((wire) => ({
        id: `hidden-${wire}`,
        wire,
        base_url: upstream.url + wirePrefix[wire],
      })),
      { id: 'hidden-signing', wire: 'google-generate', base_url: signing.url.origin },
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [route(wire)])),
        ableModel('plain', [route('anthropic-messages')], {
          capabilities: { tools: true, reasoning: false, vision: false, documents: false },
          reasoning_efforts: [],
        }),
        ableModel('signing', [{ provider: 'hidden-signing', model: 'hidden-signing' }]),
        ableModel('second', [route('anthropic-messages', 'broken!status=500'), route('openai-chat')]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([upstream.stop(), signing.stop(true)]);
});

const { key } = await server.createKey('enterprise');
const LOSSES = 'x-svc-translation-losses';
const ask = (path: string, body: Json, headers: Record<string, string> = {}) =>
  server.call(path, { headers: { ...bearer(key), ...headers }, body });
const askChat = (model: string, fields: Json, headers?: Record<string, string>) =>
  ask('/v1/chat/completions', chatBody(model, fields), headers);
const askMessages = (model: string, fields: Json, headers?: Record<string, string>) =>
  ask('/v1/messages', messagesBody(model, fields), headers);
const strict = { 'x-svc-strict': 'true' };
const lineOf = ({ headers }: { headers: Headers }): Json => {
  const id = headers.get('x-svc-request-id')!;
  const line = server
    .log()
    .split('\n')
    .find((text) => text.includes(id));
  return line === undefined ? undefined : JSON.parse(line);
};

test('a signature behind streamed text is reported at the end of the stream, in the log line and a metric', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1_024 };
  const answer = await askMessages('signing', { max_tokens: 2_000, stream: true, thinking });
  expect(answer.text).toMatch(/\n\n: x-svc-translation-losses: replay-token\n\nevent: message_delta\n/);
  await waitFor(() => lineOf(answer)?.losses?.includes('replay-token'));
  const without = await askMessages('signing', { stream: true });
  expect(without.text).toContain('message_stop');
  expect(without.text).not.toContain('x-svc-translation-losses');
});

for (const stream of [false, true]) {
  test(`lists dropped fields in a header, the log line and a metric, ${stream ? 'streamed' : 'whole'}`, async () => {
    const seriesOf = async () =>
      (await server.call('/metrics')).text.match(
        /^tollgate_translation_losses_total\{dialect="chat-completions",wire="anthropic-messages",code="seed"\} (\d+)$/m,
      )?.[1] ?? '0';
    const before = Number(await seriesOf());
    const answer = await askChat('on-anthropic-messages', { seed: 1, frequency_penalty: 1, stream });
    expect(answer.status).toBe(200);
    expect(answer.headers.get(LOSSES)).toBe('penalty, seed');
    await waitFor(() => lineOf(answer) !== undefined);
    expect(lineOf(answer).losses).toEqual(['penalty', 'seed']);
    expect(Number(await seriesOf())).toBe(before + 1);
  });

  test(`refuses a strict client's request that would lose a field, with the field, ${stream ? 'streamed' : 'whole'}`, async () => {
    const one = await askChat('on-anthropic-messages', { seed: 1, stream }, strict);
    expect(one).toMatchObject({
      status: 422,
      body: { error: { code: 'route_not_qualified', param: 'seed' } },
    });
    expect(one.body.error.message).toStartWith('seed: ');
    const two = await askChat('on-anthropic-messages', { seed: 1, presence_penalty: 1, stream }, strict);
    expect({ status: two.status, param: two.body.error.param }).toEqual({ status: 422, param: null });
    expect(two.body.error.message).toContain('penalty, seed');
    const user = await askMessages('on-google-generate', { metadata: { user_id: 'u' }, stream }, strict);
    expect(user).toMatchObject({ status: 422, body: { error: { code: 'route_not_qualified' } } });
    expect(user.body.error.message).toStartWith('metadata.user_id: ');
    expect(one.headers.get(LOSSES)).toBeNull();
  });

  test(`serves a strict client whose request loses nothing, ${stream ? 'streamed' : 'whole'}`, async () => {
    for (const wire of chatWires) {
      const answer = await askChat(`on-${wire}`, { temperature: 0.5, max_tokens: 50, stream }, strict);
      expect({ wire, status: answer.status, result: answer.headers.get(LOSSES) }).toEqual({
        wire,
        status: 200,
        result: null,
      });
    }
  });
}

test('lists replaced fields on a wire of the same protocol too', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1_024 };
  const answer = await askMessages('plain', { thinking, output_config: { effort: 'high' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get(LOSSES)).toBe('effort-lowered, thinking-budget');
  expect((await askMessages('plain', { thinking }, strict)).status).toBe(422);
});

test('omits losses of a target that failed', async () => {
  const answer = await askChat('second', { seed: 1 });
  expect(answer.status).toBe(200);
  expect(answer.headers.get(LOSSES)).toBeNull();
});

test('unpacks its own tokens on a wire of the same protocol too', async () => {
  const packed = `tollgate-replay-v1:${Buffer.from(JSON.stringify({ issuer: 'google', data: 'thought:abc' })).toString('base64url')}`;
  for (const data of [packed, `tollgate-redacted-v1:${packed}`]) {
    const answer = await askMessages('on-anthropic-messages', {
      messages: [
        { role: 'user', content: 'hello' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'so', signature: data },
            { type: 'text', text: 'hi' },
          ],
        },
        { role: 'user', content: 'and?' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(JSON.stringify(upstream.requests().at(-1)!.body)).not.toContain(packed);
  }
});
