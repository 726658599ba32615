import { afterAll, describe, expect, test } from 'bun:test';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { leaveStream } from '../support/leave-stream.ts';
import { dataOf } from '../support/messages-body.ts';
import { startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { DONE, dataEvent, typedEvent } from '../support/stream-events.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const hosts = { chat: 'openai-chat', messages: 'anthropic-messages', responses: 'openai-responses' } as const;
const all = { ...hosts, google: 'google-generate' };
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: Object.values(all).map((wire) => ({ id: `hidden-${wire}`, wire, base_url: upstream.url })),
    catalog: {
      default: false,
      models: Object.entries(all).map(([name, wire]) =>
        ableModel(`uncounted-${name}`, [{ provider: `hidden-${wire}`, model: `hidden-${name}` }]),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

/** A hundred tokens. */
const hundredWords = 'word '.repeat(100);
const aboutHundred = expect.closeTo(100, -1.2);
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
  dataEvent({ id: 'hidden', choices: [{ index: 0, delta, finish_reason }], ...more });
const message = { role: 'assistant', content: hundredWords };
const wholeAnswer = { id: 'hidden', choices: [{ index: 0, message, finish_reason: 'stop' }] };

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

/** Adds every detail that clients were promised. */
const promised = (counts: object) => ({
  ...counts,
  prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});

type Counted = { input: number; output: number };
type Speech = { whole: object; stream: string };

const messageHead = { id: 'hidden', type: 'message', role: 'assistant', model: 'hidden' };
const textBlock = { type: 'text', text: hundredWords };
const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: hundredWords, annotations: [] }],
};
const responseHead = { id: 'resp_hidden', object: 'response', created_at: 1, model: 'hidden' };
const finished = { ...responseHead, status: 'completed', output: [item] };

/** Answers of hosts that report no usage. */
const speeches: Record<keyof typeof hosts, Speech> = {
  chat: {
    whole: wholeAnswer,
    stream: `${chunk({ content: hundredWords }, null)}${chunk({}, 'stop')}${DONE}`,
  },
  messages: {
    whole: { ...messageHead, content: [textBlock], stop_reason: 'end_turn', stop_sequence: null },
    stream:
      typedEvent('message_start', { message: { ...messageHead, content: [], stop_reason: null } }) +
      typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
      typedEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text: hundredWords } }) +
      typedEvent('content_block_stop', { index: 0 }) +
      typedEvent('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null } }) +
      typedEvent('message_stop'),
  },
  responses: {
    whole: finished,
    stream:
      typedEvent('response.created', { response: { ...responseHead, status: 'in_progress', output: [] } }) +
      typedEvent('response.output_item.added', { output_index: 0, item: { ...item, content: [] } }) +
      typedEvent('response.output_text.delta', { output_index: 0, content_index: 0, delta: hundredWords }) +
      typedEvent('response.output_item.done', { output_index: 0, item }) +
      typedEvent('response.completed', { response: finished }),
  },
};

/** The request of each dialect, and the place of its usage. */
const dialects: Record<string, { path: string; body: object; usageIn(answer: Answer): Json }> = {
  chat: {
    path: '/v1/chat/completions',
    body: { max_tokens: 500, messages: [{ role: 'user', content: 'hello' }] },
    usageIn: ({ body, text }) => body?.usage ?? dataOf(text).findLast(({ usage }) => usage)?.usage,
  },
  messages: {
    path: '/v1/messages',
    body: { max_tokens: 500, messages: [{ role: 'user', content: 'hello' }] },
    usageIn: ({ body, text }) =>
      body?.usage ?? dataOf(text).find(({ type }) => type === 'message_delta').usage,
  },
  responses: {
    path: '/v1/responses',
    body: { max_output_tokens: 500, input: 'hello' },
    usageIn: ({ body, text }) => body?.usage ?? dataOf(text).at(-1).response.usage,
  },
};

const counted = (reported: Json): Counted => ({
  input: reported.prompt_tokens ?? reported.input_tokens,
  output: reported.completion_tokens ?? reported.output_tokens,
});

/** Adds the request for usage that only this dialect has. */
const asksFor = (dialect: string, { stream }: { stream: boolean }) =>
  dialect === 'chat' && stream ? { stream, stream_options: { include_usage: true } } : { stream };

function upstreamSays(host: string, { whole: answer, stream }: Speech): void {
  upstream.answer(`hidden-${host}`, ({ body }) => (body.stream ? streamed(stream) : Response.json(answer)));
}

for (const [dialect, { path, body, usageIn }] of Object.entries(dialects)) {
  for (const [host, speech] of Object.entries(speeches)) {
    test.each([
      true,
      false,
    ])(`${dialect} on a host of ${host}, streamed %p: estimates, shows and marks omitted counts [CHT-03]`, async (stream) => {
      upstreamSays(host, speech);
      const fields = { ...body, ...asksFor(dialect, { stream }), model: `uncounted-${host}` };
      const answer = await server.call(path, { headers: bearer(key), body: fields });
      expect(answer.status).toBe(200);
      const { input, output } = counted(usageIn(answer));
      expect(output).toEqual(aboutHundred);
      expect(input).toBeWithin(1, 20);
      expect(await lineOf(answer.headers)).toMatchObject({
        output_tokens: output,
        input_tokens: input,
        usage_estimated: true,
      });
    });
  }
}

/** The same with a usage of any text: JSON can be read that cannot be written. */
function absurdly(
  host: keyof typeof hosts,
  { reported, stream }: { reported: string; stream: boolean },
): Response {
  const usage = '<reported>';
  const { messages, responses } = speeches;
  const places: Record<keyof typeof hosts, Speech> = {
    chat: {
      whole: { ...wholeAnswer, usage },
      stream: `${chunk({ content: hundredWords }, null)}${chunk({}, 'stop', { usage })}${DONE}`,
    },
    messages: {
      whole: { ...messages.whole, usage },
      stream: messages.stream.replace('"stop_sequence":null}', `$&,"usage":"${usage}"`),
    },
    responses: {
      whole: { ...finished, usage },
      stream: responses.stream.replace('"status":"completed","output"', `"usage":"${usage}",$&`),
    },
  };
  const speech = places[host];
  const text = (stream ? speech.stream : JSON.stringify(speech.whole)).replace(`"${usage}"`, reported);
  return stream ? streamed(text) : new Response(text, { headers: { 'content-type': 'application/json' } });
}

describe('estimates, shows and charges usage in place of impossible counts', () => {
  /** Input, output and both. */
  const absurd: Record<string, readonly [string, string, string]> = {
    infinite: ['1e999', '1e999', '1e999'],
    'larger than any window': ['1e15', '1e15', '2e15'],
    'a total that is': ['7', '0', '1e999'],
    'below zero': ['-7', '-3', '-10'],
  };
  const written = (host: string, [input, output, total]: readonly [string, string, string]) =>
    host === 'chat'
      ? `{"prompt_tokens":${input},"completion_tokens":${output},"total_tokens":${total}}`
      : `{"input_tokens":${input},"output_tokens":${output},"total_tokens":${total}}`;
  for (const [what, counts] of Object.entries(absurd)) {
    test.each(Object.keys(hosts) as (keyof typeof hosts)[])(`${what}, on a host of %s`, async (host) => {
      for (const stream of [true, false]) {
        upstream.answer(`hidden-${host}`, () => absurdly(host, { reported: written(host, counts), stream }));
        const { path, body, usageIn } = dialects[host]!;
        const fields = { ...body, ...asksFor(host, { stream }), model: `uncounted-${host}` };
        const answer = await server.call(path, { headers: bearer(key), body: fields });
        const { input, output } = counted(usageIn(answer));
        expect({ status: answer.status, output }).toEqual({ status: 200, output: aboutHundred });
        expect(input).toBeWithin(1, 20);
        const tokens = { input_tokens: input, output_tokens: output, usage_estimated: true };
        expect(await lineOf(answer.headers)).toMatchObject(tokens);
      }
    });
  }

  test('shows fractions of tokens as they are charged', async () => {
    const reported = '{"prompt_tokens":7.5,"completion_tokens":3.5,"total_tokens":11}';
    for (const stream of [true, false]) {
      upstream.answer('hidden-chat', () => absurdly('chat', { reported, stream }));
      const answer = await server.chat(key, 'uncounted-chat', asksFor('chat', { stream }));
      const { input, output } = counted(dialects.chat!.usageIn(answer));
      for (const count of [input, output]) expect(count).toBeInteger();
      expect(await lineOf(answer.headers)).toMatchObject({ input_tokens: input, output_tokens: output });
    }
  });
});

test('shows the estimated usage in a stored response', async () => {
  upstreamSays('responses', speeches.responses);
  const body = { ...dialects.responses!.body, model: 'uncounted-responses' };
  const made = await server.call('/v1/responses', { headers: bearer(key), body });
  const again = await server.call(`/v1/responses/${made.body.id}`, { headers: bearer(key) });
  expect(again.text).toBe(made.text);
  expect(again.body.usage.output_tokens).toEqual(aboutHundred);
});

describe('uses the largest of counts that shrink or repeat', () => {
  const counts = (prompt_tokens: number, completion_tokens: number) => ({
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  });
  const start = { ...messageHead, content: [], stop_reason: null };
  const startCounts = { input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 1 };
  const shrinking: Record<string, string> = {
    chat:
      chunk({ content: hundredWords }, null, counts(7, 40)) +
      chunk({}, 'stop', counts(7, 90)) +
      dataEvent({ id: 'hidden', choices: [], ...counts(0, 3) }) +
      DONE,
    messages:
      typedEvent('message_start', { message: { ...start, usage: startCounts } }) +
      typedEvent('content_block_start', { index: 0, content_block: { type: 'text', text: hundredWords } }) +
      typedEvent('message_delta', { delta: {}, usage: { input_tokens: 0, output_tokens: 90 } }) +
      typedEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }) +
      typedEvent('message_stop'),
  };

  for (const [host, stream] of Object.entries(shrinking)) {
    test.each(['chat', 'messages'])(`of a host of ${host}, requested in %s`, async (dialect) => {
      upstreamSays(host, { whole: {}, stream });
      const { path, body } = dialects[dialect]!;
      const fields = { ...body, stream: true, model: `uncounted-${host}` };
      const answer = await server.call(path, { headers: bearer(key), body: fields });
      const line = await lineOf(answer.headers);
      expect(line).toMatchObject({ input_tokens: 7, output_tokens: 90 });
      expect(line).not.toHaveProperty('usage_estimated');
    });
  }
});

test('ignores output that a message counts only at its start', async () => {
  const start = { ...messageHead, content: [], usage: { input_tokens: 7, output_tokens: 1 } };
  const stream = speeches.messages.stream.replace(
    /^.*\n.*\n\n/,
    typedEvent('message_start', { message: start }),
  );
  upstreamSays('messages', { whole: {}, stream });
  const { path, body, usageIn } = dialects.messages!;
  const fields = { ...body, stream: true, model: 'uncounted-messages' };
  const answer = await server.call(path, { headers: bearer(key), body: fields });
  expect(usageIn(answer)).toMatchObject({ input_tokens: 7, output_tokens: aboutHundred });
  expect(await lineOf(answer.headers)).toMatchObject({ input_tokens: 7, output_tokens: aboutHundred });
});

describe('usage in places that only some hosts use', () => {
  const places: Record<string, object> = {
    'in a field of its host': { x_groq: { usage } },
    'in a choice': { choices: [{ ...wholeAnswer.choices[0], delta: {}, usage }] },
  };

  test.each(Object.entries(places))('%s is read and shown where clients expect it', async (_, place) => {
    const last = dataEvent({
      id: 'hidden',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      ...place,
    });
    upstreamSays('chat', {
      whole: { ...wholeAnswer, ...place },
      stream: `${chunk({ content: hundredWords }, null)}${last}${DONE}`,
    });
    for (const stream of [true, false]) {
      const answer = await server.chat(key, 'uncounted-chat', asksFor('chat', { stream }));
      expect(dialects.chat!.usageIn(answer)).toEqual(promised(usage));
      const line = await lineOf(answer.headers);
      expect(line).toMatchObject({ input_tokens: 7, output_tokens: 3 });
      expect(line).not.toHaveProperty('usage_estimated');
    }
  });
});

describe('estimates each of several answers without counts', () => {
  for (const stream of [true, false]) {
    test(`n answers, streamed ${stream}`, async () => {
      upstreamSays('messages', speeches.messages);
      const fields = { n: 3, ...asksFor('chat', { stream }) };
      const one = await server.chat(key, 'uncounted-messages', asksFor('chat', { stream }));
      const three = await server.chat(key, 'uncounted-messages', fields);
      const { input, output } = counted(dialects.chat!.usageIn(three));
      const ofOne = counted(dialects.chat!.usageIn(one));
      expect({ input, output }).toEqual({ input: 3 * ofOne.input, output: 3 * ofOne.output });
      expect(await lineOf(three.headers)).toMatchObject({
        input_tokens: input,
        output_tokens: output,
        usage_estimated: true,
      });
    });

    test(`a list of prompts, streamed ${stream}`, async () => {
      upstreamSays('messages', speeches.messages);
      const body = {
        model: 'uncounted-messages',
        prompt: ['hello', 'hello'],
        max_tokens: 500,
        ...asksFor('chat', { stream }),
      };
      const answer = await server.call('/v1/completions', { headers: bearer(key), body });
      const { input, output } = counted(dialects.chat!.usageIn(answer));
      expect(output).toEqual(expect.closeTo(200, -1.2));
      expect(await lineOf(answer.headers)).toMatchObject({
        input_tokens: input,
        output_tokens: output,
        usage_estimated: true,
      });
    });
  }
});

test('usage within a choice is read but shown only on request [CHT-17]', async () => {
  upstream.answer('hidden-chat', () =>
    streamed(`${chunk({ content: hundredWords }, null)}${chunk({}, 'stop', { usage })}${DONE}`),
  );
  const ask = async (fields: object) => {
    const answer = await server.chat(key, 'uncounted-chat', { stream: true, ...fields });
    return { usages: dataOf(answer.text).map((event) => event.usage), line: await lineOf(answer.headers) };
  };
  const silent = await ask({});
  expect(silent.usages).toEqual([undefined, undefined]);
  expect(silent.line).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  expect(silent.line).not.toHaveProperty('usage_estimated');
  expect((await ask({ stream_options: { include_usage: true } })).usages).toEqual([
    undefined,
    promised(usage),
  ]);
});

test('charges the sent part of a stream that its client left [STR-23]', async () => {
  const beginning = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode(chunk({ content: hundredWords }, null))),
  });
  upstream.answer('hidden-chat', () => streamed(beginning));
  const headers = await leaveStream(`${server.url}/v1/chat/completions`, {
    headers: bearer(key),
    body: chatBody('uncounted-chat', { stream: true }),
  });
  expect(await lineOf(headers)).toMatchObject({ output_tokens: aboutHundred, usage_estimated: true });
});

test('a Google stream whose last report takes its output back is estimated', async () => {
  const chunk = (text: string, candidatesTokenCount: number, rest: object = {}) =>
    dataEvent({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...rest }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount, totalTokenCount: 7 + candidatesTokenCount },
    });
  upstream.answer('hidden-google', () =>
    streamed(chunk(hundredWords, 1) + chunk('', 0, { finishReason: 'STOP' })),
  );
  const answer = await server.chat(key, 'uncounted-google', { stream: true });
  const line = await lineOf(answer.headers);
  expect(line).toMatchObject({ input_tokens: 7, output_tokens: aboutHundred, usage_estimated: true });
});
