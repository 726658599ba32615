import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from './support/call.ts';
import { dataOf } from './support/messages-body.ts';
import { startRecordingUpstream, streamed } from './support/recording-upstream.ts';
import { startServer } from './support/start-server.ts';
import { waitFor } from './support/wait-for.ts';
import { ableModel } from './support/wire-models.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [ableModel('uncounted', [{ provider: 'hidden-host', model: 'hidden-model' }])],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const said = 'x'.repeat(400);
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'hidden', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
const message = { role: 'assistant', content: said };
const whole = { id: 'hidden', choices: [{ index: 0, message, finish_reason: 'stop' }] };

/** The log line of a request, once it is there. */
async function lineOf(headers: Headers): Promise<Record<string, unknown>> {
  const id = headers.get('x-svc-request-id')!;
  const find = () =>
    server
      .log()
      .split('\n')
      .find((line) => line.includes(id) && line.includes('duration_ms'));
  await waitFor(() => find() !== undefined);
  return JSON.parse(find()!);
}

for (const path of ['/v1/chat/completions', '/v1/messages']) {
  test.each([true, false])(
    `${path}, streamed %p: what the upstream does not count is estimated, and marked`,
    async (stream) => {
      upstream.answer('hidden-model', () =>
        stream
          ? streamed(`${chunk({ content: said }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
          : Response.json(whole),
      );
      const body = { ...chatBody('uncounted', { stream }), max_tokens: 500 };
      const answer = await server.call(path, { headers: bearer(key), body });
      expect(answer.status).toBe(200);
      expect(await lineOf(answer.headers)).toMatchObject({
        output_tokens: 100,
        usage_estimated: true,
        input_tokens: expect.any(Number),
      });
    },
  );
}

test('usage that comes with a choice is counted, and not shown to who did not ask [CHT-17]', async () => {
  upstream.answer('hidden-model', () =>
    streamed(`${chunk({ content: said }, null)}${chunk({}, 'stop', { usage })}data: [DONE]\n\n`),
  );
  const ask = async (fields: object) => {
    const answer = await server.chat(key, 'uncounted', { stream: true, ...fields });
    return { usages: dataOf(answer.text).map((event) => event.usage), line: await lineOf(answer.headers) };
  };
  const silent = await ask({});
  expect(silent.usages).toEqual([undefined, undefined]);
  expect(silent.line).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  expect(silent.line).not.toHaveProperty('usage_estimated');
  expect((await ask({ stream_options: { include_usage: true } })).usages).toEqual([undefined, usage]);
});

test('of a stream that its client left, what was sent counts [STR-23]', async () => {
  const beginning = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(chunk({ content: said }, null))),
  });
  upstream.answer('hidden-model', () => streamed(beginning));
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer(key),
    body: JSON.stringify(chatBody('uncounted', { stream: true })),
    signal: leaving.signal,
  });
  await answer.body!.getReader().read();
  leaving.abort();
  expect(await lineOf(answer.headers)).toMatchObject({ output_tokens: 100, usage_estimated: true });
});
