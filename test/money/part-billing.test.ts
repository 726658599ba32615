import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, call, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream, streamed, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { dataEvent, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';

// Charges of a request if one of its answers or prompts fails, and of an answer that ends with an error.

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({
  config: {
    ...config,
    providers: [
      ...config.providers,
      { id: 'hidden-narrow', wire: 'anthropic-messages', base_url: upstream.url, max_concurrent: 3 },
    ],
    limits: { usage_grace_s: 0.5 },
    catalog: {
      default: false,
      models: [
        sampleModel('parts', {}, 'anthropic-messages'),
        sampleModel('narrow', { routes: [{ provider: 'hidden-narrow', model: 'hidden-narrow' }] }),
        sampleModel('chat'),
        sampleModel('messages', {}, 'anthropic-messages'),
        sampleModel('responses', {}, 'openai-responses'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
beforeEach(() => upstream.forget());

const message = { id: 'x', type: 'message', role: 'assistant', model: 'x', stop_sequence: null };
const INPUT = 100;
const OUTPUT = 10;
const usage = { input_tokens: INPUT, output_tokens: OUTPUT };

const beginning =
  typedEvent('message_start', { message: { ...message, content: [], stop_reason: null, usage } }) +
  typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
  typedEvent('content_block_delta', {
    index: 0,
    delta: { type: 'text_delta', text: 'word '.repeat(OUTPUT) },
  });
const ending =
  typedEvent('content_block_stop', { index: 0 }) +
  typedEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: OUTPUT } }) +
  typedEvent('message_stop');

const answerPart: UpstreamAnswer = ({ body: { stream } }) =>
  stream
    ? streamed(beginning + ending)
    : Response.json({
        ...message,
        content: [{ type: 'text', text: 'word' }],
        stop_reason: 'end_turn',
        usage,
      });

/** Returns the prompt of a part. */
const promptOf = ({ body }: { body: Json }): string => JSON.stringify(body.messages);

/** One of the prompts gets another answer, when all the others have theirs. */
function answerAllBut(marked: string, how: UpstreamAnswer, others: number): void {
  let answered = 0;
  upstream.answer('hidden-parts', async (request) => {
    if (promptOf(request).includes(marked)) {
      await waitFor(() => answered >= others);
      await Bun.sleep(100);
      return how(request);
    }
    answered += 1;
    return answerPart(request);
  });
}

const refusing =
  (status: number): UpstreamAnswer =>
  () =>
    Response.json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, { status });

const prompts = (count: number): string[] => Array.from({ length: count }, (_, index) => `prompt ${index}.`);
const LAST = 'prompt 15.';
const ask = (key: CreatedKey, fields: Json) =>
  server.call('/v1/completions', {
    headers: bearer(key.key),
    body: { model: 'parts', max_tokens: 50, prompt: prompts(16), ...fields },
  });
const entriesOf = ({ account }: CreatedKey): Promise<Json[]> => usageEntries(server, account);
const finishedIn = (text: string): number => text.match(/"finish_reason":"stop"/g)?.length ?? 0;

describe('one of sixteen prompts that the upstream refuses', () => {
  test('ends a stream whose finished answers are billed [CRD-39]', async () => {
    const key = await server.createKey('enterprise');
    answerAllBut(LAST, refusing(400), 15);
    const { text } = await ask(key, { stream: true });
    expect(text).toContain('"error"');
    expect(text).not.toContain('[DONE]');
    expect(finishedIn(text)).toBe(15);
    expect(await entriesOf(key)).toMatchObject([
      { input_tokens: 15 * INPUT, output_tokens: 15 * OUTPUT, receipt: { outcome: 'failed' } },
    ]);
  });

  test('fails a whole answer with an error that says how many answers are billed [CRD-39]', async () => {
    const key = await server.createKey('enterprise');
    answerAllBut(LAST, refusing(400), 15);
    const { status, body } = await ask(key, {});
    expect(status).toBe(400);
    expect(body.error.message).toContain('15 of the 16 answers were complete and are billed.');
    expect(await entriesOf(key)).toMatchObject([
      { input_tokens: 15 * INPUT, output_tokens: 15 * OUTPUT, receipt: { outcome: 'failed' } },
    ]);
  });
});

describe('one of sixteen prompts that the upstream cannot answer', () => {
  test('ends a stream whose delivered answers are billed [CRD-39]', async () => {
    const key = await server.createKey('enterprise');
    answerAllBut(LAST, refusing(500), 15);
    const { text } = await ask(key, { stream: true });
    expect({ finished: finishedIn(text), text }).toEqual({
      finished: 15,
      text: expect.stringContaining('"error"'),
    });
    expect(await entriesOf(key)).toMatchObject([{ input_tokens: 15 * INPUT, output_tokens: 15 * OUTPUT }]);
  });

  test('fails a whole answer without a charge [CRD-39]', async () => {
    const key = await server.createKey('enterprise');
    answerAllBut(LAST, refusing(500), 15);
    expect((await ask(key, {})).status).toBe(503);
    expect(await entriesOf(key)).toEqual([]);
  });

  test('costs nothing within its text unlike the finished answers [CRD-39]', async () => {
    const key = await server.createKey('enterprise');
    answerAllBut('prompt 1.', () => streamed(beginning), 1);
    const { text } = await ask(key, { stream: true, prompt: prompts(2) });
    expect(finishedIn(text)).toBe(1);
    expect(await entriesOf(key)).toMatchObject([{ input_tokens: INPUT, output_tokens: OUTPUT }]);
  });
});

test('bills the other 127 answers if one prompt is refused [CRD-39]', async () => {
  const key = await server.createKey('free');
  answerAllBut('prompt 127.', refusing(400), 127);
  expect((await ask(key, { prompt: prompts(128) })).status).toBe(400);
  expect(await entriesOf(key)).toMatchObject([{ output_tokens: 127 * OUTPUT }]);
});

test('bills all answers that had begun when the client left a stream [CRD-40]', async () => {
  const key = await server.createKey('enterprise');
  upstream.answer('hidden-parts', (request) =>
    promptOf(request).includes('prompt 0.')
      ? answerPart(request)
      : streamed(
          new ReadableStream({
            start: (controller) => controller.enqueue(new TextEncoder().encode(beginning)),
          }),
        ),
  );
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/v1/completions`, {
    method: 'POST',
    headers: bearer(key.key),
    body: JSON.stringify({ model: 'parts', max_tokens: 50, prompt: prompts(3), stream: true }),
    signal: leaving.signal,
  });
  const reader = answer.body!.getReader();
  for (let text = ''; finishedIn(text) === 0; ) text += new TextDecoder().decode((await reader.read()).value);
  await waitFor(() => upstream.requests.length === 3);
  leaving.abort();
  await waitFor(async () => (await entriesOf(key)).length === 1);
  const [entry] = await entriesOf(key);
  expect(entry).toMatchObject({ input_tokens: 3 * INPUT, receipt: { outcome: 'left' } });
  expect(entry.output_tokens).toBeWithin(28, 33);
});

test('bills the generated answers when the client left before whole answers were complete [CRD-40]', async () => {
  const key = await server.createKey('enterprise');
  upstream.answer('hidden-parts', (request) =>
    promptOf(request).includes('prompt 2.') ? new Promise<Response>(() => {}) : answerPart(request),
  );
  const leaving = new AbortController();
  const asking = call(`${server.url}/v1/completions`, {
    headers: bearer(key.key),
    body: { model: 'parts', max_tokens: 50, prompt: prompts(3) },
    signal: leaving.signal,
  }).catch(() => 'left');
  await waitFor(() => upstream.requests.length === 3);
  // The gateway then has read the two whole answers.
  await Bun.sleep(50);
  leaving.abort();
  expect(await asking).toBe('left');
  await waitFor(async () => (await entriesOf(key)).length === 1);
  const [entry] = await entriesOf(key);
  expect(entry.receipt.outcome).toBe('left');
  expect(entry.output_tokens).toBe(2 * OUTPUT);
  expect(entry.input_tokens).toBeWithin(2 * INPUT + 1, 3 * INPUT);
});

test.each([
  true,
  false,
])('bills the answers that had begun when the client left while others were queued, streamed %p [CRD-40]', async (stream) => {
  const key = await server.createKey('enterprise');
  upstream.answer('hidden-narrow', async (request) => {
    await Bun.sleep(150);
    return answerPart(request);
  });
  const leaving = new AbortController();
  const asking = call(`${server.url}/v1/completions`, {
    headers: bearer(key.key),
    body: { model: 'narrow', max_tokens: 50, prompt: prompts(12), stream },
    signal: leaving.signal,
  }).catch(() => 'left');
  await waitFor(() => upstream.requests.length === 3);
  leaving.abort();
  expect(await asking).toBe('left');
  await waitFor(async () => (await entriesOf(key)).length === 1);
  expect(await entriesOf(key)).toMatchObject([
    { input_tokens: 3 * INPUT, output_tokens: 3 * OUTPUT, receipt: { outcome: 'left', estimated: false } },
  ]);
  expect(upstream.requests).toHaveLength(3);
});

// The wires of the model, each with the way in which its host ends an answer with an error.
const words = 'word '.repeat(OUTPUT);
const faulty = {
  chat: {
    path: '/v1/chat/completions',
    body: { messages: [{ role: 'user', content: 'hello' }] },
    text: dataEvent({ id: 'x', choices: [{ index: 0, delta: { content: words }, finish_reason: null }] }),
    error: (code: string) => dataEvent({ error: { message: 'no', type: code, code } }),
    own: 'invalid_request_error',
  },
  messages: {
    path: '/v1/messages',
    body: { max_tokens: 50, messages: [{ role: 'user', content: 'hello' }] },
    text: beginning,
    error: (type: string) => typedEvent('error', { error: { type, message: 'no' } }),
    own: 'invalid_request_error',
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'hello' },
    text:
      typedEvent('response.created', { response: { id: 'x', output: [] } }) +
      typedEvent('response.output_item.added', {
        output_index: 0,
        item: { type: 'message', id: 'm', role: 'assistant', content: [] },
      }) +
      typedEvent('response.output_text.delta', {
        output_index: 0,
        content_index: 0,
        item_id: 'm',
        delta: words,
      }),
    error: (code: string) =>
      typedEvent('response.failed', {
        response: { id: 'x', status: 'failed', error: { code, message: 'no' } },
      }),
    own: 'invalid_prompt',
  },
};
const upstreamsOwn = 'server_error';

for (const [wire, { text, error, own }] of Object.entries(faulty)) {
  for (const [dialect, { path, body }] of Object.entries(faulty)) {
    const asks = (key: CreatedKey) =>
      server.call(path, { headers: bearer(key.key), body: { ...body, model: wire, stream: true } });

    test(`bills the delivered part of a ${wire} stream, requested in ${dialect}, that ends with an error of the request [CRD-45]`, async () => {
      const key = await server.createKey('enterprise');
      upstream.answer(`hidden-${wire}`, () => streamed(text + error(own)));
      expect((await asks(key)).text).toContain('error');
      const [entry, ...others] = await entriesOf(key);
      expect({ outcome: entry.receipt.outcome, others }).toEqual({ outcome: 'failed', others: [] });
      expect(entry.output_tokens).toBeWithin(9, 12);
      expect(entry.input_tokens).toBeGreaterThan(0);
    });

    test(`bills nothing for a ${wire} stream, requested in ${dialect}, that ends with an error of the upstream [CRD-45]`, async () => {
      const key = await server.createKey('enterprise');
      for (const end of [error(upstreamsOwn), '']) {
        upstream.answer(`hidden-${wire}`, () => streamed(text + end));
        expect((await asks(key)).text).toContain('error');
      }
      expect(await entriesOf(key)).toEqual([]);
    });
  }
}
