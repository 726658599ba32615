import { afterAll, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { serveSimulator } from './serve-simulator.ts';
import type { Json } from './testing/parse-frames.ts';
import { CHAT_CLIENTS, send } from './testing/test-clients.ts';

const KEY = 'simulator-key-0123';

const simulator = serveSimulator({ apiKey: KEY, embeddingDimensions: 8 });
const client = new OpenAI({ apiKey: KEY, baseURL: `${simulator.url}/v1`, maxRetries: 0 });
afterAll(() => simulator.stop());

const user = (content: string) => [{ role: 'user' as const, content }];

describe('the official client of OpenAI', () => {
  test('reads a chat stream with tool calls and usage [ADM-11]', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } };
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: user('get_weather now'),
      tools: [{ type: 'function', function: { name: 'get_weather', parameters } }],
      stream_options: { include_usage: true },
    });
    const completion = await stream.finalChatCompletion();
    const [call] = completion.choices[0]!.message.tool_calls!;
    expect(call).toMatchObject({ function: { name: 'get_weather', arguments: '{"city":"simulated city"}' } });
    expect(completion.usage!.total_tokens).toBeGreaterThan(10);
  });

  test('reads a responses stream with reasoning [ADM-11]', async () => {
    const request = {
      model: 'm',
      input: 'say: fine',
      reasoning: { effort: 'low', summary: 'auto' },
    } as const;
    const response = await client.responses.stream(request).finalResponse();
    expect(response.output_text).toBe('[simulated] fine');
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(response.usage!.output_tokens_details.reasoning_tokens).toBeGreaterThan(10);
  });

  test('receives several choices with log probabilities [ADM-43]', async () => {
    const request = { model: 'm', messages: user('hello'), n: 2, logprobs: true, top_logprobs: 2 };
    const { choices } = await client.chat.completions.create(request);
    expect(choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(choices[0]!.message.content).not.toBe(choices[1]!.message.content);
    const tokens = choices[0]!.logprobs!.content!;
    expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]!.message.content!);
    expect(tokens[0]!.top_logprobs).toHaveLength(2);
  });

  test('receives a refusal if it asks for one', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'm',
      messages: user('refuse: too hot'),
    });
    expect(choices[0]!.message).toMatchObject({ content: null, refusal: '[simulated] too hot' });
  });

  test('completes text, whole and streamed, for several prompts [ADM-11]', async () => {
    const request = { model: 'm', prompt: ['say: one', 'say: two'], max_tokens: 50 };
    const whole = await client.completions.create(request);
    expect(whole.choices.map(({ text }) => text)).toEqual(['[simulated] one', '[simulated] two']);
    const texts = ['', ''];
    let total: number | undefined;
    const stream = await client.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      for (const { index, text } of chunk.choices) texts[index] += text;
      total = chunk.usage?.total_tokens ?? total;
    }
    expect(texts).toEqual(['[simulated] one', '[simulated] two']);
    expect(total).toBe(whole.usage!.total_tokens);
  });

  test('receives unit vectors, equal in both encodings [ADM-42] [ADM-11]', async () => {
    const request = { model: 'm', input: ['good morning', 'good evening', 'xyz'] };
    const plain = await client.embeddings.create({ ...request, encoding_format: 'float' });
    const packed = await client.embeddings.create(request);
    const vectors = plain.data.map(({ embedding }) => embedding);
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(vectors);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(vectors[0]).toHaveLength(8);
    const narrow = await client.embeddings.create({ ...request, dimensions: 3 });
    expect(narrow.data[0]!.embedding).toHaveLength(3);
    expect(plain.usage.prompt_tokens).toBeGreaterThan(4);
  });
});

test.each(CHAT_CLIENTS)('$wire refuses an invalid key', async (wireClient) => {
  const response = await send(simulator.url, wireClient, { text: 'hi' });
  expect(response.status).toBe(401);
  expect(wireClient.errorMessage(await response.json())).toContain('API key');
});

test('quotes tool results and refuses a result without its call', async () => {
  const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const result = { role: 'tool' as const, tool_call_id: 'c1', content: '21 degrees' };
  const messages = [...user('hi'), { role: 'assistant' as const, tool_calls: [call] }, result];
  const { choices } = await client.chat.completions.create({ model: 'm', messages });
  expect(choices[0]!.message.content).toContain('Tool result c1: "21 degrees".');
  const stray = client.chat.completions.create({ model: 'm', messages: [...user('hi'), result] });
  await expect(stray.then()).rejects.toThrow("'c1' has no tool call");
});

test('recognises its own thinking in a later request', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1_024 };
  const headers = { 'x-api-key': KEY };
  const post = async (messages: object[]) => {
    const body = JSON.stringify({ model: 'm', max_tokens: 2_000, thinking, messages });
    const response = await fetch(`${simulator.url}/v1/messages`, { method: 'POST', headers, body });
    return (await response.json()) as Json;
  };
  const first = await post(user('hi'));
  const history = (content: unknown) => [...user('hi'), { role: 'assistant', content }, ...user('go on')];
  expect((await post(history(first.content))).content[1].text).toContain('1 with an intact signature');
  first.content[0].signature = 'c29tZXRoaW5n';
  expect((await post(history(first.content))).content[1].text).toContain('0 with an intact signature');
});

test('limits the pace of its streams', async () => {
  const paced = serveSimulator({ tokensPerSecond: 500, firstByteMs: 20 });
  try {
    const startedMs = performance.now();
    await (await send(paced.url, CHAT_CLIENTS[0]!, { text: 'count to 50', stream: true })).text();
    expect(performance.now() - startedMs).toBeGreaterThan(20 + 80);
  } finally {
    await paced.stop();
  }
});

test('lists the received requests without their keys', async () => {
  await client.models.list();
  await client.chat.completions.create({ model: 'm', messages: user('remember me') });
  const received = simulator.requests().at(-1)!;
  expect(received).toMatchObject({ method: 'POST', path: '/v1/chat/completions', body: { model: 'm' } });
  expect(received.headers.authorization).toBe('[redacted]0123');
});

test('answers the health check, and 404 on an unknown path', async () => {
  expect((await fetch(`${simulator.url}/health`)).status).toBe(200);
  expect((await fetch(`${simulator.url}/v1/unheard`, { method: 'POST' })).status).toBe(404);
});
