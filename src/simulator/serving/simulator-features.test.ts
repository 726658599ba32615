import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from './serve-simulator.ts';
import { CHAT_CLIENTS, observe, send } from './testing/test-clients.ts';

const simulator = serveSimulator();
afterAll(() => simulator.stop());

const WEATHER = {
  name: 'get_weather',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const CLOCK = { name: 'get_time', schema: { type: 'object', properties: { zone: { enum: ['UTC'] } } } };
/** 1,600 words, which exceed the minimum of 1,024 tokens for caching. */
const LONG = 'lorem ipsum dolor sit '.repeat(400);

describe.each(CHAT_CLIENTS.map((client) => [client.wire, client] as const))('%s', (_wire, client) => {
  const ask = (question: Parameters<typeof observe>[2]) => observe(simulator.url, client, question);

  test('answers the same request with the same labelled text [ADM-42]', async () => {
    const first = await ask({ text: 'Hi 日本' });
    const second = await ask({ text: 'Hi 日本' });
    expect(first).toEqual(second);
    expect(first.text).toStartWith('[simulated] You said "Hi 日本"');
  });

  test.each([
    ['plain text', { text: 'Hello 日本 👩‍👧' }],
    ['a long answer', { text: 'count to 500' }],
    ['reasoning', { text: 'say: yes', reasoning: true, maxTokens: 3_000 }],
    ['two tool calls', { text: 'get_weather, then get_time', tools: [WEATHER, CLOCK] }],
    ['a token limit', { text: 'count to 500', maxTokens: 20 }],
  ])('streams the same answer that it gives as a whole: %s [ADM-43]', async (_what, question) => {
    expect(await ask({ ...question, stream: true })).toEqual(await ask(question));
  });

  test('ends at the token limit and counts exactly [ADM-43]', async () => {
    const limited = await ask({ text: 'count to 500', maxTokens: 20 });
    expect(limited.stop).toBe(client.stops.length!);
    expect(limited.usage?.output).toBe(20);
    const whole = await ask({ text: 'count to 500' });
    expect(whole.stop).toBe(client.stops.end!);
    expect(whole.text).toStartWith(limited.text);
  });

  test('calls the tool that the text names, with arguments of its schema [ADM-43]', async () => {
    const called = await ask({ text: 'please get_weather', tools: [WEATHER, CLOCK] });
    expect(called.calls).toEqual([{ name: 'get_weather', input: { city: 'simulated city' } }]);
    expect(called.stop).toBe(client.stops['tool-calls']!);
  });

  test('follows the tool choice [ADM-43]', async () => {
    const names = async (choice?: string, text = 'hello') =>
      (await ask({ text, tools: [WEATHER, CLOCK], ...(choice && { choice }) })).calls.map(({ name }) => name);
    expect(await names()).toEqual([]);
    expect(await names('any')).toEqual(['get_weather']);
    expect(await names('get_time')).toEqual(['get_time']);
    expect(await names('none', 'get_weather')).toEqual([]);
    expect(await names(undefined, 'use a tool')).toEqual(['get_weather']);
  });

  test('calls a tool with the arguments in the text', async () => {
    const text = 'call get_weather with {"city":"Bern","a":{"b":1}} now';
    expect((await ask({ text, tools: [WEATHER] })).calls[0]!.input).toEqual({ city: 'Bern', a: { b: 1 } });
  });

  test('answers with JSON that is valid for the schema [ADM-43]', async () => {
    const schema = {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 3 },
        tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
      },
      required: ['size', 'tags'],
      $defs: { tag: { enum: ['red', 'blue'] } },
    };
    expect(JSON.parse((await ask({ text: 'hello', schema })).text)).toEqual({ size: 3, tags: ['red'] });
  });

  test('thinks only if the request asks for reasoning [ADM-43]', async () => {
    expect((await ask({ text: 'hello' })).thinking).toBe('');
    const thought = await ask({ text: 'hello', reasoning: true });
    expect(thought.thinking).toStartWith('[simulated thinking]');
    if (client.wire !== 'openai-chat') expect(thought.signature).not.toBe('');
  });

  test('describes the images and documents that it received [ADM-43]', async () => {
    const { text } = await ask({ text: 'look', image: btoa('four'), document: btoa('longer') });
    expect(text).toContain('Image image/png of 4 bytes.');
    expect(text).toMatch(/Document (?:"a(?:\.pdf)?" )?application\/pdf of 6 bytes\./);
  });

  test('reports a repeated prefix as cached input [ADM-43]', async () => {
    const system = `${client.wire} ${LONG}`;
    const first = await ask({ text: 'one', system });
    const second = await ask({ text: 'two', system });
    expect(first.usage?.cached).toBe(0);
    expect(second.usage?.cached).toBeGreaterThan(1_024);
    expect(second.usage?.cached).toBeLessThan(second.usage!.input);
    expect(second.usage?.input).toBe(first.usage!.input);
  });

  test("refuses an invalid body with the vendor's error", async () => {
    const path = client.path('m', { stream: false });
    const response = await fetch(simulator.url + path, {
      method: 'POST',
      body: JSON.stringify(client.badBody),
    });
    expect(response.status).toBe(400);
    expect(client.errorMessage(await response.json())).not.toBe('');
  });

  test('refuses a body that is not JSON', async () => {
    const response = await send(simulator.url, { ...client, body: () => [] }, { text: '' });
    expect(response.status).toBe(400);
  });
});

/** The clients whose wire has a field for stop sequences. */
const stoppable = CHAT_CLIENTS.filter(({ stops }) => stops['stop-sequence'] !== undefined);

test.each(stoppable)('$wire ends before a stop sequence [ADM-43]', async (client) => {
  const stopped = await observe(simulator.url, client, { text: 'count to 20', stops: ['13', '7'] });
  expect(stopped.text).toBe('[simulated] 1 2 3 4 5 6 ');
  expect(stopped.stop).toBe(client.stops['stop-sequence']!);
});

test('counts words of a million letters and keeps answering', async () => {
  for (const sign of ['x', '漢', ' ']) {
    const { usage } = await observe(simulator.url, CHAT_CLIENTS[0]!, { text: sign.repeat(1_000_000) });
    expect(usage?.input).toBeGreaterThan(1_000);
  }
});
