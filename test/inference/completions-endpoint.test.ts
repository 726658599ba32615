import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { answerStatus, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

const simulator = serveSimulator({ logSize: 1_000 });
const upstream = startRecordingUpstream();
const on = (wire: string, id = `on-${wire}`) =>
  ableModel(`@svc/${id}`, [{ provider: wire, model: `hidden-${id}` }], { allow_unpriced: ['best_of'] });
const native = 'openai-completions';

const server = await startServer({
  config: {
    providers: [
      ...chatWires.map((wire) => ({ id: wire, wire, base_url: simulator.url + wirePrefix[wire] })),
      { id: native, wire: native, base_url: `${simulator.url}/v1` },
      { id: 'both', wires: [native, 'openai-chat'], base_url: `${simulator.url}/v1` },
      { id: 'recording', wire: 'openai-chat', base_url: upstream.url },
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => on(wire)),
        on(native),
        on('both'),
        on('recording', 'recorded'),
        on('recording', 'fails-once'),
      ],
      handles: { 'gpt-stock': '@svc/recorded' },
      previews: { 'next-big-model': '@svc/recorded' },
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await simulator.stop();
});
beforeEach(upstream.forget);

const { key } = await server.createKey('enterprise');
const headers = bearer(key);
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const complete = (model: string, fields: object = {}) =>
  server.call('/v1/completions', { headers, body: { model, prompt: 'say: hello', ...fields } });
const textsOf = ({ body }: { body: Json }) => body.choices.map(({ text }: Json) => text);
const sent = () => simulator.requests().at(-1)!.body as Json;
/** Returns the text of each answer of a stream, by its number. */
const streamedTexts = (text: string): string[] => {
  const texts: string[] = [];
  for (const { index, text: piece } of dataOf(text).flatMap(({ choices }) => choices))
    texts[index] = (texts[index] ?? '') + piece;
  return texts;
};

describe.each([...chatWires, native])('a legacy completion on %s', (wire) => {
  const model = `on-${wire}`;

  test('has the form of the public API [CMP-01] [CMP-06] [ADM-41]', async () => {
    for (const spelling of [`@svc/${model}`, `svc-${model}`, model]) {
      const { status, body, headers: got } = await complete(spelling);
      expect(status).toBe(200);
      expect(body.model).toEqual(spelling);
      expect(got.get('svc-model')).toEqual(spelling);
      expect(body).toMatchObject({ object: 'text_completion', created: expect.any(Number) });
      expect(body.id).toMatch(/^cmpl-[0-9A-Za-z]{29}$/);
      expect(body.choices).toEqual([
        { text: '[simulated] hello', index: 0, logprobs: null, finish_reason: 'stop' },
      ]);
      const { prompt_tokens, completion_tokens, total_tokens } = body.usage;
      expect(prompt_tokens).toBeGreaterThan(0);
      expect(completion_tokens).toBeGreaterThan(0);
      expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    }
  });

  test('ends at the requested length, and is not cut without one', async () => {
    const [whole] = textsOf(await complete(model, { prompt: 'count to 100' }));
    expect(whole).toEndWith('99 100');
    const { body } = await complete(model, { prompt: 'count to 100', max_tokens: 16 });
    expect(body.choices[0].finish_reason).toBe('length');
    expect(body.usage.completion_tokens).toBeLessThanOrEqual(16);
    const [stopped] = textsOf(await complete(model, { prompt: 'count to 100', stop: [' 7 '] }));
    expect(stopped).toBe('[simulated] 1 2 3 4 5 6');
  });

  test('takes a list of prompts and answers in their order [CMP-03] [CMP-07]', async () => {
    expect(textsOf(await complete(model, { prompt: ['say: one'] }))).toEqual(['[simulated] one']);
    const { body } = await complete(model, { prompt: ['say: one', 'say: two', 'say: three'], n: 2 });
    const words = ['one', 'one', 'two', 'two', 'three', 'three'];
    expect(body.choices.map(({ index }: Json) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [at, word] of words.entries()) expect(body.choices[at].text).toEndWith(word);
  });

  test('streams, and ends with [DONE] [CMP-04]', async () => {
    const { text, headers: got } = await complete(model, { stream: true });
    expect(got.get('content-type')).toStartWith('text/event-stream');
    expect(text).toEndWith('data: [DONE]\n\n');
    const chunks = dataOf(text);
    expect(streamedTexts(text)).toEqual(['[simulated] hello']);
    expect(
      new Set(chunks.map(({ id, object, model: name }) => `${id.slice(0, 5)} ${object} ${name}`)),
    ).toEqual(new Set([`cmpl- text_completion ${model}`]));
    expect(chunks.at(-1).choices[0].finish_reason).toBe('stop');
    expect(chunks.every(({ usage }) => usage == null)).toBe(true);
  });

  test('streams several prompts in parallel, with one usage and one end [CMP-03] [CMP-04]', async () => {
    const prompt = ['say: one', 'say: two', 'say: three'];
    const { text } = await complete(model, { prompt, stream: true, stream_options: { include_usage: true } });
    expect(streamedTexts(text)).toEqual(['[simulated] one', '[simulated] two', '[simulated] three']);
    expect(dataOf(text).at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(dataOf(text).filter(({ usage }) => usage)).toHaveLength(1);
    expect(text.match(/\[DONE\]/g)).toHaveLength(1);
  });

  test('repeats the prompt with echo, and gives n answers [CMP-05]', async () => {
    const [echoed] = textsOf(await complete(model, { echo: true }));
    expect(echoed).toBe('say: hello[simulated] hello');
    const { text } = await complete(model, { echo: true, stream: true, n: 2 });
    for (const each of streamedTexts(text)) expect(each).toMatch(/^say: hello\[simulated\].* hello$/);
    expect(textsOf(await complete(model, { n: 3, best_of: 3 }))).toHaveLength(3);
  });

  if (wire !== native) {
    test('refuses by name the fields that a chat model cannot serve [CMP-05]', async () => {
      const refused = { suffix: ' end', logprobs: 0, best_of: 2, max_tokens: 0 };
      for (const [param, value] of Object.entries(refused)) {
        for (const n of [1, 2]) {
          const fields = { [param]: value, n: param === 'best_of' ? 1 : n };
          expectRefusal(await complete(model, fields), 422, 'route_not_qualified', param);
        }
      }
      expectRefusal(await complete(model, { prompt: [1, 2] }), 422, 'route_not_qualified', 'prompt');
      expectRefusal(await complete(model, { prompt: [[1], [2]] }), 422, 'route_not_qualified', 'prompt[0]');
    });
  }
});

describe('on its own wire', () => {
  test('passes the request with the model name and a length', async () => {
    const fields = { suffix: ' end', best_of: 2, logit_bias: { 50256: -100 }, later: { a: 1 }, user: 'u' };
    expect((await complete(`on-${native}`, fields)).status).toBe(200);
    expect(sent()).toEqual({
      model: 'hidden-on-openai-completions',
      prompt: 'say: hello',
      ...fields,
      max_tokens: 1024,
    });
    expect((await complete(`on-${native}`, { prompt: [[1, 2], [3]] })).body.choices).toHaveLength(2);
  });

  test('has log probabilities [CMP-05]', async () => {
    const { body } = await complete(`on-${native}`, { logprobs: 2 });
    expect(Object.keys(body.choices[0].logprobs.top_logprobs[0])).toHaveLength(2);
  });

  test('sends all prompts in one call', async () => {
    const before = simulator.requests().length;
    await complete(`on-${native}`, { prompt: ['say: a', 'say: b'], n: 2 });
    expect(simulator.requests().length - before).toBe(1);
  });
});

describe('a host that only continues text', () => {
  const model = `on-${native}`;
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'yes?' },
    { role: 'user', content: 'say: hello' },
  ];

  test('serves chats in every dialect [RES-26]', async () => {
    const chat = await server.chat(key, model);
    expect(chat.body.choices[0].message.content).toStartWith('[simulated]');
    expect(sent().prompt).toBe('hello');
    const messagesAnswer = await server.call('/v1/messages', { headers, body: messagesBody(model) });
    expect(messagesAnswer.body.content[0].text).toStartWith('[simulated]');
    const response = await server.call('/v1/responses', { headers, body: { model, input: 'say: hello' } });
    expect(response.body.output.at(-1).content[0].text).toBe('[simulated] hello');
    const { text } = await server.chat(key, model, { stream: true });
    expect(text).toEndWith('data: [DONE]\n\n');
  });

  test('receives a conversation as text to continue', async () => {
    expect((await server.chat(key, model, { messages, n: 2 })).body.choices).toHaveLength(2);
    expect(sent()).toMatchObject({
      prompt: 'Be brief.\n\nUser: hi\n\nAssistant: yes?\n\nUser: say: hello\n\nAssistant:',
      stop: ['\n\nUser:'],
    });
  });

  test('receives no feature that it lacks', async () => {
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    expectRefusal(await server.chat(key, model, { tools }), 422, 'route_not_qualified', 'tools');
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const shown = [{ role: 'user', content: [image] }];
    expectRefusal(await server.chat(key, model, { messages: shown }), 422, 'route_not_qualified', 'messages');
  });

  test('that also chats receives chat requests', async () => {
    await server.chat(key, 'on-both', { messages, temperature: 0.5 });
    expect(sent()).toMatchObject({ messages, temperature: 0.5 });
    await complete('on-both');
    expect(sent()).toMatchObject({ prompt: 'say: hello' });
    const { body } = await server.call('/v1/models/on-both');
    expect(body.native_wires.toSorted()).toEqual(['openai-chat', 'openai-completions']);
  });
});

describe('each prompt', () => {
  test('becomes one user turn, with every chat parameter [CMP-02]', async () => {
    const sampling = { temperature: 0.5, top_p: 0.9, frequency_penalty: 1, presence_penalty: -1, seed: 7 };
    await complete('recorded', { prompt: ['one', 'two'], max_tokens: 9, stop: 'x', ...sampling });
    const bodies = upstream.requests
      .map(({ body }) => body)
      .sort((a, b) => (a.messages[0].content < b.messages[0].content ? -1 : 1));
    expect(bodies).toMatchObject([
      { messages: [{ role: 'user', content: 'one' }], max_tokens: 9, stop: ['x'], ...sampling },
      { messages: [{ role: 'user', content: 'two' }], max_tokens: 9, stop: ['x'], ...sampling },
    ]);
  });

  test('may name its model by a handle or a preview [RES-29] [RES-11]', async () => {
    for (const name of ['gpt-stock', 'next-big-model']) {
      const { status, body } = await complete(name);
      expect({ status, model: body.model }).toEqual({ status: 200, model: name });
    }
  });

  test('ends the whole request if it fails', async () => {
    let calls = 0;
    upstream.answer('hidden-fails-once', (request) =>
      ++calls === 2 ? answerStatus(429)(request) : answerWell(request),
    );
    expectRefusal(await complete('fails-once', { prompt: ['a', 'b', 'c'] }), 503, 'upstream_overloaded');
  });
});

test('serves the official client, whole and streamed', async () => {
  const prompt = ['say: one', 'say: two'];
  const whole = await client.completions.create({ model: 'on-google-generate', prompt });
  expect(whole.choices.map(({ text }) => text)).toEqual(['[simulated] one', '[simulated] two']);
  const texts = ['', ''];
  const stream = await client.completions.create({ model: 'on-anthropic-messages', prompt, stream: true });
  for await (const { choices } of stream) for (const { index, text } of choices) texts[index] += text;
  expect(texts).toEqual(['[simulated] one', '[simulated] two']);
});

test('refuses an invalid body with the path of the field', async () => {
  const faults: [object, string][] = [
    [{ prompt: undefined }, 'prompt'],
    [{ prompt: 7 }, 'prompt'],
    [{ prompt: [] }, 'prompt'],
    [{ prompt: ['a', 1] }, 'prompt[1]'],
    [{ prompt: [[]] }, 'prompt[0]'],
    [{ prompt: Array.from({ length: 2_049 }, () => 'a') }, 'prompt'],
    [{ n: 0 }, 'n'],
    [{ n: 129 }, 'n'],
    [{ n: 3, best_of: 2 }, 'best_of'],
    [{ echo: 'yes' }, 'echo'],
    [{ logprobs: 6 }, 'logprobs'],
    [{ suffix: 1 }, 'suffix'],
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
    [{ stream_options: { include_usage: 1 } }, 'stream_options.include_usage'],
  ];
  for (const [fields, param] of faults)
    expectRefusal(await complete('recorded', fields), 400, 'invalid_request', param);
  const many = Array.from({ length: 129 }, () => 'a');
  expectRefusal(await complete('recorded', { prompt: many }), 422, 'route_not_qualified', 'prompt');
  expectRefusal(await complete('recorded', { prompt: ['a', 'b'], n: 128 }), 422, 'route_not_qualified', 'n');
  expectRefusal(await complete('recorded', { prompt: ['a', ''] }), 422, 'route_not_qualified', 'prompt[1]');
  expect(upstream.requests).toHaveLength(0);
});
