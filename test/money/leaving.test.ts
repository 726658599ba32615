import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { answerWell, startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { DONE, dataEvent, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';

// Charges of clients that leave before the end of their answer.

const GRACE_S = 0.5;
const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const fields = {
  context_window: 131_072,
  pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
};
const server = await startServer({
  config: {
    ...config,
    limits: { usage_grace_s: GRACE_S },
    catalog: {
      default: false,
      models: [
        sampleModel('gpt-test', fields),
        sampleModel('messages-test', fields, 'anthropic-messages'),
        sampleModel('responses-test', fields, 'openai-responses'),
        sampleModel('google-test', fields, 'google-generate'),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
beforeEach(() => upstream.forget());

const encoder = new TextEncoder();
/** Makes a text with as many tokens as words, in every vocabulary. */
const words = (count: number): string => 'word '.repeat(count);

/** Answers of an upstream on each wire, so that one test covers all. */
type Wire = {
  model: string;
  start: string;
  text(words: number): string;
  end(input: number, output: number): string;
};

const chat: Wire = {
  model: 'gpt-test',
  start: dataEvent({ id: 'x', choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }),
  text: (count) =>
    dataEvent({ id: 'x', choices: [{ index: 0, delta: { content: words(count) }, finish_reason: null }] }),
  end: (input, output) =>
    dataEvent({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    dataEvent({ id: 'x', choices: [], usage: { prompt_tokens: input, completion_tokens: output } }) +
    DONE,
};

const INPUT = 1_000;
const messages: Wire = {
  model: 'messages-test',
  start: typedEvent('message_start', {
    message: {
      id: 'x',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      stop_reason: null,
      usage: { input_tokens: INPUT, output_tokens: 1 },
    },
  }),
  text: (count) =>
    typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
    typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: words(count) } }),
  end: (input, output) =>
    typedEvent('content_block_stop', { index: 0 }) +
    typedEvent('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: input, output_tokens: output },
    }) +
    typedEvent('message_stop'),
};

const responses: Wire = {
  model: 'responses-test',
  start: typedEvent('response.created', { sequence_number: 0, response: { id: 'x', output: [] } }),
  text: (count) =>
    typedEvent('response.output_item.added', {
      output_index: 0,
      item: { type: 'message', id: 'm', role: 'assistant', content: [] },
    }) +
    typedEvent('response.content_part.added', {
      output_index: 0,
      content_index: 0,
      item_id: 'm',
      part: { type: 'output_text', text: '', annotations: [] },
    }) +
    typedEvent('response.output_text.delta', {
      output_index: 0,
      content_index: 0,
      item_id: 'm',
      delta: words(count),
    }),
  end: (input, output) =>
    typedEvent('response.completed', {
      response: {
        id: 'x',
        status: 'completed',
        output: [
          {
            type: 'message',
            id: 'm',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'word', annotations: [] }],
          },
        ],
        usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      },
    }),
};

const google: Wire = {
  model: 'google-test',
  start: dataEvent({ candidates: [] }),
  text: (count) =>
    dataEvent({ candidates: [{ content: { role: 'model', parts: [{ text: words(count) }] } }] }),
  end: (input, output) =>
    dataEvent({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: input, candidatesTokenCount: output },
    }),
};

const wires = { chat, messages, responses, google };
const dialects = {
  chat: {
    path: '/v1/chat/completions',
    body: (model: string, { stream }: { stream: boolean }) => chatBody(model, { stream }),
  },
  messages: {
    path: '/v1/messages',
    body: (model: string, { stream }: { stream: boolean }) => ({
      model,
      stream,
      max_tokens: 50_000,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  },
  responses: {
    path: '/v1/responses',
    body: (model: string, { stream }: { stream: boolean }) => ({ model, stream, input: 'hello' }),
  },
};

type AnswerStream = { enqueue(text: string): void; close(): void };

/** Lets the upstream answer with what `write` writes, as it is written. */
function answerAs(model: string, write: (output: AnswerStream) => void | Promise<void>): void {
  upstream.answer(`hidden-${model}`, () =>
    streamed(
      new ReadableStream({
        async start(controller) {
          const output = {
            enqueue: (text: string) => controller.enqueue(encoder.encode(text)),
            close: () => controller.close(),
          };
          try {
            await write(output);
          } catch {
            // the gateway has left
          }
        },
      }),
    ),
  );
}

/**
 * Sends a request and leaves after this many bytes of the answer, or when the upstream is called (`call`).
 */
async function leave(key: CreatedKey, path: string, body: Json, until: number | 'call' = 1): Promise<void> {
  const leaving = new AbortController();
  const answering = fetch(server.url + path, {
    method: 'POST',
    headers: bearer(key.key),
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  answering.catch(() => {});
  if (until === 'call') await waitFor(() => upstream.requests.length === 1);
  else {
    const reader = (await answering).body!.getReader();
    for (let length = 0; length < until; ) length += (await reader.read()).value?.length ?? until;
  }
  leaving.abort();
}

/** Waits until the gateway has looked for clients that have left, which it does at intervals. */
const untilNoticed = () => Bun.sleep(60);

const entriesOf = ({ account }: CreatedKey): Promise<Json[]> => usageEntries(server, account);

/** Waits for the charge of a request, which may come after its client has left. */
async function entryOf(key: CreatedKey): Promise<Json> {
  await waitFor(async () => (await entriesOf(key)).length > 0);
  return (await entriesOf(key))[0];
}

for (const [dialect, { path, body }] of Object.entries(dialects)) {
  describe(`a client of the ${dialect} dialect that leaves`, () => {
    for (const [wire, { model, start, text, end }] of Object.entries(wires)) {
      test(`in the text of a ${wire} stream that ends in time pays the reported usage, hidden reasoning included [CRD-40]`, async () => {
        const key = await server.createKey('enterprise');
        const gate = Promise.withResolvers<void>();
        answerAs(model, async (output) => {
          output.enqueue(start + text(20));
          await gate.promise;
          output.enqueue(end(INPUT, 8_020));
          output.close();
        });
        await leave(key, path, body(model, { stream: true }));
        await untilNoticed();
        gate.resolve();
        expect(await entryOf(key)).toMatchObject({
          input_tokens: INPUT,
          output_tokens: 8_020,
          receipt: { outcome: 'left', estimated: false },
        });
      });

      test(`in the text of a ${wire} stream that continues pays for the text, and the call is canceled [CRD-40]`, async () => {
        const key = await server.createKey('enterprise');
        answerAs(model, (output) => output.enqueue(start + text(500)));
        await leave(key, path, body(model, { stream: true }), 2_000);
        const entry = await entryOf(key);
        expect(entry.output_tokens).toBeWithin(450, 551);
        expect(entry.receipt).toMatchObject({ outcome: 'left', estimated: true });
        expect(entry.input_tokens).toBeWithin(1, INPUT + 1);
        await waitFor(() => upstream.requests[0]!.aborted());
      });
    }
  });
}

describe('a client that leaves', () => {
  test('between the start of a message and its first part pays for the reported input [CRD-40]', async () => {
    const key = await server.createKey('enterprise');
    answerAs('messages-test', (output) => output.enqueue(messages.start));
    await leave(key, '/v1/messages', dialects.messages.body('messages-test', { stream: true }), 'call');
    expect(await entryOf(key)).toMatchObject({ input_tokens: INPUT, receipt: { outcome: 'left' } });
  });

  test('during a whole answer pays the usage that the upstream reports within the grace [CRD-40]', async () => {
    const key = await server.createKey('enterprise');
    const gate = Promise.withResolvers<void>();
    upstream.answer('hidden-gpt-test', async () => {
      await gate.promise;
      return Response.json({
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: INPUT, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 900 } },
      });
    });
    await leave(key, '/v1/chat/completions', chatBody('gpt-test'), 'call');
    await untilNoticed();
    gate.resolve();
    expect(await entryOf(key)).toMatchObject({
      input_tokens: INPUT,
      cached_input_tokens: 900,
      output_tokens: 40,
      receipt: { outcome: 'left', estimated: false },
    });
  });

  test('from a whole answer that does not arrive in time pays for its input [CRD-40]', async () => {
    const key = await server.createKey('enterprise');
    upstream.answer('hidden-gpt-test', () => new Promise<Response>(() => {}));
    const content = words(2_000);
    await leave(
      key,
      '/v1/chat/completions',
      chatBody('gpt-test', { messages: [{ role: 'user', content }] }),
      'call',
    );
    const entry = await entryOf(key);
    expect(entry.input_tokens).toBeWithin(1_900, 2_100);
    expect(entry).toMatchObject({ output_tokens: 0, receipt: { outcome: 'left', estimated: true } });
    await waitFor(() => upstream.requests[0]!.aborted());
  });

  test('pays for cached input like the previous request of the conversation [CRD-40]', async () => {
    const key = await server.createKey('enterprise');
    const conversation = { user: 'the same', messages: [{ role: 'user', content: words(2_000) }] };
    const usage = {
      prompt_tokens: 2_000,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 1_900 },
    };
    upstream.answer('hidden-gpt-test', () =>
      Response.json({
        choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
        usage,
      }),
    );
    await server.chat(key.key, 'gpt-test', conversation);
    upstream.forget();
    answerAs('gpt-test', (output) => output.enqueue(chat.start + chat.text(10)));
    await leave(key, '/v1/chat/completions', chatBody('gpt-test', { ...conversation, stream: true }));
    await waitFor(async () => (await entriesOf(key)).length === 2);
    const [left] = await entriesOf(key);
    expect(left.receipt.outcome).toBe('left');
    expect(left.cached_input_tokens / left.input_tokens).toBeCloseTo(0.95, 2);
  });

  test('pays in full for a prompt of its own, whatever the cached share of others [CRD-51]', async () => {
    const key = await server.createKey('enterprise');
    const ask = (word: string) => ({
      user: 'the same',
      messages: [{ role: 'user', content: `${word} ${words(2_000)}` }],
    });
    const usage = {
      prompt_tokens: 2_000,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 1_900 },
    };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }];
    upstream.answer('hidden-gpt-test', () => Response.json({ choices, usage }));
    await server.chat(key.key, 'gpt-test', ask('cached'));
    upstream.forget();
    answerAs('gpt-test', (output) => output.enqueue(chat.start + chat.text(10)));
    await leave(key, '/v1/chat/completions', chatBody('gpt-test', { ...ask('fresh'), stream: true }));
    await waitFor(async () => (await entriesOf(key)).length === 2);
    const [left] = await entriesOf(key);
    expect(left).toMatchObject({ cached_input_tokens: 0, receipt: { outcome: 'left', estimated: true } });
  });

  test('from a call that then fails pays nothing [CRD-07]', async () => {
    const key = await server.createKey('enterprise');
    const gate = Promise.withResolvers<void>();
    upstream.answer('hidden-gpt-test', async () => {
      await gate.promise;
      return new Response('no', { status: 500 });
    });
    await leave(key, '/v1/chat/completions', chatBody('gpt-test'), 'call');
    await untilNoticed();
    gate.resolve();
    await Bun.sleep(GRACE_S * 1_000 + 300);
    expect(await entriesOf(key)).toEqual([]);
    expect(upstream.requests).toHaveLength(1);
  });

  test('before its stream begins pays the usage that the stream reports [CRD-40]', async () => {
    const key = await server.createKey('enterprise');
    const gate = Promise.withResolvers<void>();
    answerAs('gpt-test', async (output) => {
      await gate.promise;
      output.enqueue(chat.start + chat.text(5) + chat.end(70, 5));
      output.close();
    });
    await leave(key, '/v1/chat/completions', chatBody('gpt-test', { stream: true }), 'call');
    await untilNoticed();
    gate.resolve();
    expect(await entryOf(key)).toMatchObject({
      input_tokens: 70,
      output_tokens: 5,
      receipt: { outcome: 'left', estimated: false },
    });
  });

  test('stops counting as concurrent at once, while its answers are read for their usage', async () => {
    const key = await server.createKey('free');
    answerAs('gpt-test', (output) => output.enqueue(chat.start + chat.text(5)));
    for (let index = 0; index < 2; index++)
      await leave(key, '/v1/chat/completions', chatBody('gpt-test', { stream: true }));
    await untilNoticed();
    expect(upstream.requests.map((request) => request.aborted())).toEqual([false, false]);
    upstream.answer('hidden-gpt-test', answerWell);
    expect((await server.chat(key.key, 'gpt-test')).status).toBe(200);
    await waitFor(async () => (await entriesOf(key)).length === 3);
  });
});
