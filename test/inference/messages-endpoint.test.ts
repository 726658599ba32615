import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const none = { tools: true, reasoning: false, vision: false, documents: false };
const route = (wire: string) => [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }];

const server = await startServer({
  config: {
    providers: wireProviders(upstream.url, 'hidden-'),
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, route(wire), { max_output: 5_000 })),
        ...chatWires.map((wire) =>
          ableModel(`plain-on-${wire}`, route(wire), { capabilities: none, reasoning_efforts: [] }),
        ),
        ableModel('@svc/spelled', route('openai-chat'), { aliases: ['old-spelled'] }),
      ],
      handles: { 'claude-stock': '@svc/spelled' },
      previews: { 'next-model': '@svc/spelled' },
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const post = (body: unknown, headers: Record<string, string> = bearer(key), query = '') =>
  server.call(`/v1/messages${query}`, { headers, body });
/** Returns the last request that reached the upstream. */
const sent = (): Json => upstream.requests().at(-1)!.body;
const textOf = ({ content }: Json): string => content.map(({ text = '' }: Json) => text).join('');
const ask = async (wire: string, fields: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body, text } = await post(messagesBody(`on-${wire}`, fields));
  expect(status, text).toBe(200);
  return body;
};
const says = (content: string) => [{ role: 'user', content }];
const weather = {
  name: 'weather',
  description: 'How it is outside.',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const clock = { name: 'clock', input_schema: { type: 'object' } };
const tools = [weather, clock];
const USAGE_KEYS = [
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'input_tokens',
  'output_tokens',
];

/** The forms in which agents ask for thinking. */
const thinkings = [
  { type: 'adaptive', display: 'omitted' },
  { type: 'enabled', budget_tokens: 1_024 },
  { type: 'enabled', budget_tokens: 1_024, display: 'summarized' },
];

test('a message has the requested model name, in the spelling of the request [MSG-04] [STR-05]', async () => {
  const spellings = ['@svc/spelled', 'svc-spelled', 'spelled', 'old-spelled', 'claude-stock', 'next-model'];
  for (const model of spellings) {
    expect((await post(messagesBody(model))).body.model).toBe(model);
    const [start] = dataOf((await post(messagesBody(model, { stream: true }))).text);
    expect(start.message.model).toBe(model);
  }
  for (const wire of chatWires) expect((await ask(wire)).model).toBe(`on-${wire}`);
});

describe.each([...chatWires])('on %s', (wire) => {
  const isSame = wire === 'anthropic-messages';

  test('a message has an id, a type, a role, text and usage [MSG-01] [MSG-02] [MSG-03] [MSG-05] [MSG-10] [MSG-35]', async () => {
    const message = await ask(wire);
    expect(message).toMatchObject({ type: 'message', role: 'assistant', stop_reason: 'end_turn' });
    expect(message.id).toMatch(/^msg_[0-9A-Za-z]{29}$/);
    expect(message.content).toMatchObject([{ type: 'text', text: '[simulated] hello' }]);
    for (const name of USAGE_KEYS) expect([name, message.usage[name] >= 0]).toEqual([name, true]);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  if (!isSame) {
    test("has every field of the official client's types [MSG-49]", async () => {
      const message = await ask(wire);
      expect(Object.keys(message).sort()).toEqual(
        'container content diagnostics id model role stop_details stop_reason stop_sequence type usage'.split(
          ' ',
        ),
      );
      expect(Object.keys(message.usage).sort()).toEqual(
        [
          ...USAGE_KEYS,
          ...'cache_creation inference_geo output_tokens_details server_tool_use service_tier speed'.split(
            ' ',
          ),
        ].sort(),
      );
    });
  }

  test('passes a tool call and its result [MSG-06] [MSG-07] [MSG-15]', async () => {
    const first = says('call weather with {"place": "Rome"}');
    const { content, stop_reason } = await ask(wire, { tools, messages: first });
    expect({ stop_reason, type: content[0].type, name: content[0].name, input: content[0].input }).toEqual({
      stop_reason: 'tool_use',
      type: 'tool_use',
      name: 'weather',
      input: { place: 'Rome' },
    });
    const result = { type: 'tool_result', tool_use_id: content[0].id, content: 'rain today' };
    await ask(wire, {
      tools,
      messages: [...first, { role: 'assistant', content }, { role: 'user', content: [result] }],
    });
    expect(JSON.stringify(sent())).toContain('rain today');
  });

  test("max_tokens is the ceiling, up to the model's output limit [MSG-07] [MSG-08] [MSG-43]", async () => {
    const { usage, stop_reason } = await ask(wire, { messages: says('count to 100'), max_tokens: 16 });
    expect(stop_reason).toBe('max_tokens');
    expect(usage.output_tokens).toBeLessThanOrEqual(16);
    await ask(wire, { max_tokens: 1_000_000 });
    expect(JSON.stringify(sent())).toMatch(/"max\w*[tT]okens":5000\b/);
  });

  test('accepts content as text or blocks, and keeps the order of turns [MSG-12] [MSG-16]', async () => {
    const messages = [
      ...says('first words'),
      { role: 'assistant', content: [{ type: 'text', text: 'second words' }] },
      { role: 'user', content: [{ type: 'text', text: 'third words' }] },
    ];
    expect(textOf(await ask(wire, { messages }))).toContain('You said "third words"');
    expect(JSON.stringify(sent())).toMatch(/first words.*second words.*third words/);
  });

  test('passes system prompts as text and as blocks, and between turns [MSG-19] [MSG-46]', async () => {
    const blocks = ['be brief', 'be kind'].map((text) => ({ type: 'text', text }));
    for (const system of ['be brief and be kind', blocks]) {
      expect(textOf(await ask(wire, { system, messages: says('hi') }))).toContain('system prompt');
      expect(JSON.stringify(sent())).toMatch(/be brief.*be kind/);
    }
    for (const role of ['system', 'developer']) {
      const messages = [...says('hi'), { role: 'assistant', content: 'yes' }, { role, content: 'be terse' }];
      await ask(wire, { messages: [...messages, ...says('and?')] });
      expect(JSON.stringify(sent())).toMatch(/be terse/);
    }
  });

  test('passes tools with name, description and schema [MSG-20]', async () => {
    await ask(wire, { tools });
    const text = JSON.stringify(sent());
    expect(text).toContain('"weather"');
    expect(text).toContain('How it is outside.');
    expect(text).toContain(JSON.stringify(weather.input_schema.properties));
  });

  test('tool_choice allows, forces or forbids calls [MSG-21] [MSG-22] [MSG-23] [MSG-38]', async () => {
    const called = async (tool_choice: Json, text = 'hello') =>
      (await ask(wire, { tools, tool_choice, messages: says(text) })).content.map(({ name }: Json) => name);
    expect(await called({ type: 'auto' })).toEqual([undefined]);
    expect(await called({ type: 'auto' }, 'use a tool')).toEqual(['weather']);
    expect(await called({ type: 'any' })).toEqual(['weather']);
    expect(await called({ type: 'tool', name: 'clock' })).toEqual(['clock']);
    expect(await called({ type: 'none' }, 'use a tool')).toEqual([undefined]);
  });

  test('passes unknown fields to the same wire only [MSG-36]', async () => {
    await ask(wire, { x_extra: { any: 'thing' } });
    expect(JSON.stringify(sent()).includes('"x_extra":{"any":"thing"}')).toBe(isSame);
    await ask(wire, { x_extra: { any: 'thing' }, max_tokens: 1_000_000 });
    expect(JSON.stringify(sent()).includes('"x_extra":{"any":"thing"}')).toBe(isSame);
  });

  test('passes top_k to wires that have it, and drops it on others [MSG-37]', async () => {
    await ask(wire, { top_k: 7 });
    const knows = !['openai-chat', 'openai-responses', 'google-interactions'].includes(wire);
    if (wire !== 'bedrock-converse') expect(/"top_?k":7\b/i.test(JSON.stringify(sent()))).toBe(knows);
  });

  test('passes temperature and top_p [MSG-29]', async () => {
    await ask(wire, { temperature: 0.3, top_p: 0.7 });
    expect(JSON.stringify(sent())).toMatch(/"temperature":0\.3\b/);
    expect(JSON.stringify(sent())).toMatch(/"top_?p":0\.7\b/i);
  });

  test('shows thinking only on request [MSG-31] [MSG-32] [MSG-40] [MSG-41] [STR-06]', async () => {
    const shown = async (thinking: Json, { stream }: { stream: boolean }) => {
      const body = messagesBody(`on-${wire}`, { max_tokens: 4_096, stream, ...(thinking && { thinking }) });
      const { status, text } = await post(body);
      expect({ thinking, status }).toEqual({ thinking, status: 200 });
      return text.includes('thinking_delta') || text.includes('"type":"thinking"');
    };
    for (const stream of [false, true]) {
      const budget = { type: 'enabled', budget_tokens: 1_024 };
      for (const thinking of [budget, { type: 'enabled' }, { type: 'adaptive' }])
        expect({ thinking, result: await shown(thinking, { stream }) }).toEqual({ thinking, result: true });
      expect(await shown({ type: 'disabled' }, { stream })).toBe(false);
      expect(await shown(undefined, { stream })).toBe(false);
    }
  });

  test('drops thinking for a model that does not reason [MSG-42]', async () => {
    for (const type of ['enabled', 'adaptive']) {
      const { status } = await post(
        messagesBody(`plain-on-${wire}`, { thinking: { type, budget_tokens: 1_024 } }),
      );
      expect(status).toBe(200);
      expect(JSON.stringify(sent())).not.toMatch(/thinking|reasoning/i);
    }
  });

  test('merges consecutive turns of one role without losing text [MSG-39]', async () => {
    const messages = [
      ...says('one is'),
      ...says('two is'),
      { role: 'assistant', content: 'yes' },
      ...says('hi'),
    ];
    expect(textOf(await ask(wire, { messages }))).toContain('Received 3 turns');
    expect(JSON.stringify(sent())).toMatch(/one is.*two is/);
    const roles = sent().messages?.map(({ role }: Json) => role);
    if (isSame) expect(roles).toEqual(['user', 'assistant', 'user']);
  });

  test('accepts the extra fields of real clients [MSG-47]', async () => {
    const headers = { ...bearer(key), 'anthropic-version': '1999-01-01', 'anthropic-beta': 'nothing-known' };
    const { status } = await post(messagesBody(`on-${wire}`), headers, '?beta=true&unknown=1');
    expect(status).toBe(200);
    await ask(wire, { messages: [...says('hi'), { role: 'assistant', content: null }, ...says('so')] });
    await ask(wire, { thinking: { type: 'enabled', budget_tokens: 2_048 }, max_tokens: 2_048 });
    await ask(wire, { messages: [{ role: 'assistant', content: 'I' }, ...says('so')] });
    const blocks = ['', 'hi'].map((text) => ({ type: 'text', text }));
    await ask(wire, { system: [blocks[0]], messages: [{ role: 'user', content: blocks }] });
    const use = { type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'noon' }] };
    const turns = [
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
    ];
    await ask(wire, { tools, messages: [...says('hi'), ...turns] });
  });

  test.each(
    thinkings,
  )('the last block of an answer holds its whole text or a call, with %o [MSG-50]', async (thinking) => {
    const effort = { output_config: { effort: 'high' } };
    const fields = { stream: true, tools, thinking, ...effort };
    for (const [order, last] of [
      ['say: hello', { type: 'text', text: '[simulated] hello' }],
      ['call weather with {"place": "Rome"}', { type: 'tool_use' }],
    ] as const) {
      const { text } = await post(messagesBody(`on-${wire}`, { ...fields, messages: says(order) }));
      expect(lastBlockOf(dataOf(text))).toMatchObject(last);
    }
  });

  test('streams named events, one block after the other, from message_start to message_stop [STR-01] [STR-02] [STR-03] [STR-04]', async () => {
    const fields = { stream: true, tools, thinking: { type: 'enabled', budget_tokens: 1_024 } };
    const both = says('call weather with {"place": "Rome"} and look at the clock');
    for (const messages of [says('say: hello'), both]) {
      const { headers, text } = await post(messagesBody(`on-${wire}`, { ...fields, messages }));
      expect(headers.get('content-type')).toStartWith('text/event-stream');
      const events = dataOf(text).filter(({ type }) => type !== 'ping');
      const named = [...text.matchAll(/^event: (\w+)$/gm)]
        .map(([, name]) => name)
        .filter((name) => name !== 'ping');
      expect(named).toEqual(events.map(({ type }) => type));
      expect(orderOf(events)).toBe('ok');
    }
  });
});

test.each(
  chatWires,
)('a stream on %s begins with about the input that it ends with [MSG-51]', async (wire) => {
  const messages = says('the quick brown fox jumps over the lazy dog '.repeat(40));
  const { text } = await post(messagesBody(`on-${wire}`, { stream: true, messages }));
  const events = dataOf(text);
  const { input_tokens: early } = events.find(({ type }) => type === 'message_start').message.usage;
  const { input_tokens: exact } = events.find(({ type }) => type === 'message_delta').usage;
  expect(exact).toBeGreaterThan(300);
  expect(early / exact).toBeWithin(0.8, 1.25);
});

/** Walks through the events; `ok`, or the first that is out of place. */
function orderOf(events: Json[]): string {
  const types = events.map(({ type, index }) => (index === undefined ? type : `${type} ${index}`));
  const blocks = new Set(events.map(({ index }) => index)).size - 1;
  const one = (index: number) =>
    `content_block_start ${index},(content_block_delta ${index},)*content_block_stop ${index},`;
  const grammar = Array.from({ length: blocks }, (_, index) => one(index)).join('');
  const isInOrder = new RegExp(`^message_start,${grammar}message_delta,message_stop$`).test(types.join());
  return isInOrder && blocks >= 2 ? 'ok' : types.join();
}

/** Returns the last block of a stream with its text. */
function lastBlockOf(events: Json[]): Json {
  const { index, content_block } = events.findLast(({ type }) => type === 'content_block_start')!;
  const own = events.filter((event) => event.type === 'content_block_delta' && event.index === index);
  return { ...content_block, text: own.map(({ delta }) => delta.text ?? '').join('') };
}
