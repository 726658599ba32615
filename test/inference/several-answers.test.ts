import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import {
  answerStatus,
  answerWell,
  startRecordingUpstream,
  streamed,
  type UpstreamAnswer,
} from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const simulator = serveSimulator({ logSize: 1_000 });
const upstream = startRecordingUpstream();
const own = (id: string) => ableModel(id, [{ provider: 'own', model: id }]);

const server = await startServer({
  config: {
    providers: [
      { id: 'own', wire: 'openai-chat', base_url: upstream.url },
      ...chatWires.map((wire) => ({ id: `on-${wire}`, wire, base_url: simulator.url + wirePrefix[wire] })),
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) =>
          ableModel(`on-${wire}`, [{ provider: `on-${wire}`, model: `on-${wire}` }]),
        ),
        ...['refuses-n', 'ignores-n', 'second-fails', 'hangs', 'counted', 'breaks'].map(own),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await simulator.stop();
});

const { key } = await server.createKey('enterprise');
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'say: hello' }];
const asks = (model: string, fields: object = {}) => server.chat(key, model, { messages, n: 3, ...fields });
const one = answerStatus(400, { message: 'n must be 1' });
const HELLO = /^\[simulated\]( \(choice \d\))? hello$/;
/** Answers a request for one answer. */
const onlyOne =
  (then: UpstreamAnswer): UpstreamAnswer =>
  (request) =>
    (request.body.n ?? 1) > 1 ? one(request) : then(request);

beforeEach(upstream.forget);

describe.each([...chatWires])('several answers on %s', (wire) => {
  const model = `on-${wire}`;

  test('are as many as requested, with their summed usage [CHT-09]', async () => {
    const { body: single } = await asks(model, { n: 1 });
    const before = simulator.requests().length;
    const { body } = await asks(model);
    expect(simulator.requests().length - before).toBe(wire === 'openai-chat' ? 1 : 3);
    expect(body.choices.map(({ index }: Json) => index)).toEqual([0, 1, 2]);
    for (const { message, finish_reason } of body.choices) {
      expect({ content: message.content, finish_reason }).toEqual({
        content: expect.stringMatching(HELLO),
        finish_reason: 'stop',
      });
    }
    expect({ id: body.id, model: body.model }).toEqual({ id: expect.stringMatching(/^chatcmpl-/), model });
    const calls = wire === 'openai-chat' ? 1 : 3;
    expect(body.usage.prompt_tokens).toBe(single.usage.prompt_tokens * calls);
    expect(body.usage.completion_tokens).toBeGreaterThanOrEqual(single.usage.completion_tokens * 3);
  });

  test('stream in parallel under one id, with their index, one usage and one end [CHT-09] [STR-28]', async () => {
    const { text } = await asks(model, { stream: true, stream_options: { include_usage: true } });
    const chunks = dataOf(text);
    expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
    const said = ['', '', ''];
    const finished: number[] = [];
    const begun = new Set<number>();
    for (const { index, delta, finish_reason } of chunks.flatMap(({ choices }) => choices)) {
      said[index] += delta.content ?? '';
      begun.add(index);
      if (!finish_reason) continue;
      finished.push(index);
      expect(begun.size).toBe(3); // clients refuse an answer that begins after another has ended
    }
    for (const each of said) expect(each).toMatch(HELLO);
    expect(finished.sort()).toEqual([0, 1, 2]);
    expect(chunks.filter(({ usage }) => usage)).toHaveLength(1);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(text.match(/\[DONE\]/g)).toHaveLength(1);
    expect(text).toEndWith('data: [DONE]\n\n');
  });

  test('stream with one time to the first token in the metrics', async () => {
    const series = `tollgate_time_to_first_token_seconds_count{provider="on-${wire}",model="${model}",`;
    const counted = async () => {
      const lines = (await server.call('/metrics')).text.split('\n');
      return Number(lines.find((line) => line.startsWith(series))?.split(' ')[1] ?? 0);
    };
    const before = await counted();
    await asks(model, { stream: true });
    await waitFor(async () => (await counted()) === before + 1);
  });
});

describe('a host that gives one answer at a time', () => {
  test('is called once for each, whether it refuses or ignores a request for more', async () => {
    upstream.answer('refuses-n', onlyOne(answerWell));
    for (const model of ['refuses-n', 'ignores-n']) {
      upstream.forget();
      const completion = await client.chat.completions.create({ model, messages, n: 3 });
      expect(completion.choices.map(({ index, message }) => [index, message.content])).toEqual([
        [0, 'one two'],
        [1, 'one two'],
        [2, 'one two'],
      ]);
      expect(completion.usage?.total_tokens).toBe(30);
      expect(upstream.requests.map(({ body }) => body.n)).toEqual([3, undefined, undefined, undefined]);
    }
  });

  test('streams them to the official client', async () => {
    upstream.answer('refuses-n', onlyOne(answerWell));
    const said = ['', ''];
    for await (const { choices } of await client.chat.completions.create({
      model: 'refuses-n',
      messages,
      n: 2,
      stream: true,
    })) {
      for (const { index, delta } of choices) said[index] += delta.content ?? '';
    }
    expect(said).toEqual(['one two', 'one two']);
  });

  test('receives at most sixteen calls at a time', async () => {
    let running = 0;
    let most = 0;
    // The first sixteen wait for each other, and then a while for one more.
    const full = Promise.withResolvers<void>();
    upstream.answer(
      'counted',
      onlyOne(async (request) => {
        most = Math.max(most, ++running);
        if (running === 16) setTimeout(full.resolve, 20);
        await full.promise;
        running--;
        return answerWell(request);
      }),
    );
    for (const stream of [false, true]) {
      const { text, body } = await asks('counted', { n: 40, stream });
      const ended = stream ? text.match(/"finish_reason":"stop"/g) : body.choices;
      expect({ length: ended.length, most }).toEqual({ length: 40, most: 16 });
    }
  });
});

describe('if one of several answers fails', () => {
  const second = (how: UpstreamAnswer): UpstreamAnswer => {
    let calls = 0;
    return onlyOne((request) => (++calls === 2 ? how(request) : answerWell(request)));
  };

  test('the whole request is refused, in the form of the dialect', async () => {
    upstream.answer('second-fails', second(answerStatus(500)));
    expectRefusal(await asks('second-fails'), 503, 'upstream_unavailable');
  });

  test('a stream ends with the error and without its own end', async () => {
    let started = 0;
    const broken: UpstreamAnswer = async (request) => {
      if (++started < 2) return answerWell(request);
      await Bun.sleep(50); // after the first part has begun
      return streamed('data: {"error":{"message":"hidden overload"}}\n\n');
    };
    upstream.answer('breaks', onlyOne(broken));
    const { status, text } = await asks('breaks', { stream: true });
    expect(status).toBe(200);
    expect(dataOf(text).at(-1)).toMatchObject({
      error: { type: 'server_error', code: 'upstream_overloaded' },
    });
    expect(text).not.toContain('[DONE]');
    expect(text).not.toContain('hidden');
  });

  test('the others are canceled', async () => {
    let calls = 0;
    upstream.answer(
      'hangs',
      onlyOne(async (request) => {
        if (++calls === 3) return answerStatus(500)(request);
        await Bun.sleep(5_000);
        return answerWell(request);
      }),
    );
    expectRefusal(await asks('hangs'), 503, 'upstream_unavailable');
    await waitFor(() => upstream.requests.filter(({ aborted }) => aborted()).length === 2, 2_000);
  });
});

test('ends the calls for all answers when the client leaves', async () => {
  upstream.answer(
    'hangs',
    onlyOne(() => {
      const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
      return streamed(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(chunk)) }),
      );
    }),
  );
  const stream = await client.chat.completions.create({ model: 'hangs', messages, n: 3, stream: true });
  for await (const _ of stream) if (upstream.requests.length === 4) break;
  await waitFor(() => upstream.requests.filter(({ aborted }) => aborted()).length >= 3);
  await waitFor(async () => (await server.admin('GET', '/providers/own')).body.slots_in_use === 0);
});

test('refuses zero or too many answers, with the field', async () => {
  for (const n of [0, 129, 1.5, '2'])
    expectRefusal(await asks('on-openai-chat', { n }), 400, 'invalid_request', 'n');
});

test('logs the number of calls', async () => {
  const { headers } = await server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: chatBody('on-google-generate', { n: 5, messages }),
  });
  const id = headers.get('x-svc-request-id')!;
  const own = () =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes(id));
  await waitFor(() => own().some((line) => /"attempts":5\b/.test(line)));
});

test('ends the stream of several answers with an error when the server stops', async () => {
  const hanging = startRecordingUpstream();
  hanging.answer(
    'hidden',
    onlyOne(() => {
      const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
      return streamed(
        new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(chunk)) }),
      );
    }),
  );
  const stopped = await startServer({
    config: {
      server: { drain_s: 0 },
      providers: [{ id: 'own', wire: 'openai-chat', base_url: hanging.url }],
      catalog: { default: false, models: [ableModel('hangs', [{ provider: 'own', model: 'hidden' }])] },
    },
  });
  const { key: own } = await stopped.createKey('enterprise');
  const response = await fetch(`${stopped.url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer(own),
    body: JSON.stringify(chatBody('hangs', { n: 3, stream: true })),
  });
  const text = response.text(); // its head is here: the stream has begun
  await stopped.stop();
  expect(dataOf(await text).at(-1).error.code).toBe('capacity_unavailable');
  await hanging.stop();
});
