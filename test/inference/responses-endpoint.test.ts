import { afterAll, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import type { Response as OpenAIResponse } from 'openai/resources/responses/responses';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { contractProblems, eventProblems } from '../../src/translation/protocols/testing/openai-contract.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import { PDF, PNG } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const toolsOnly = { tools: true, reasoning: false, vision: false, documents: false };
const route = (wire: string, behaviour = '') => [
  { provider: `hidden-${wire}`, model: `hidden-${wire}${behaviour}` },
];

const server = await startServer({
  config: {
    providers: wireProviders(upstream.url, 'hidden-').map((row) => ({ ...row, allow_fields: ['prompt.id'] })),
    catalog: {
      default: false,
      models: [
        ...chatWires.flatMap((wire) => [
          ableModel(`on-${wire}`, route(wire), { max_output: 5_000 }),
          ableModel(`plain-on-${wire}`, route(wire), { capabilities: toolsOnly, reasoning_efforts: [] }),
          ableModel(`stalling-on-${wire}`, route(wire, '!stall-after=12')),
          ableModel(`uncounted-on-${wire}`, route(wire, '!usage=none')),
        ]),
        ableModel('@svc/spelled', route('openai-responses'), {
          aliases: ['old-spelled'],
          allow_unpriced: ['web_search'],
        }),
      ],
      handles: { 'gpt-stock': '@svc/spelled' },
      previews: { 'next-model': '@svc/spelled' },
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const headers = bearer(key);
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const post = (body: unknown, query = '') => server.call(`/v1/responses${query}`, { headers, body });
/** Returns the last request that reached the upstream. */
const sent = (): Json => upstream.requests().at(-1)!.body;
const ports = [Number(new URL(upstream.url).port)];

const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'How it is outside.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  strict: false,
};

/** Returns the response objects of a stream. */
const envelopesOf = (events: readonly Json[]): Json[] => events.flatMap(({ response }) => response ?? []);

/** Every field that the client's type cannot do without. A missing field does not compile. */
const fields = Object.keys({
  id: 1,
  created_at: 1,
  error: 1,
  incomplete_details: 1,
  instructions: 1,
  metadata: 1,
  model: 1,
  object: 1,
  output: 1,
  parallel_tool_calls: 1,
  temperature: 1,
  tool_choice: 1,
  tools: 1,
  top_p: 1,
  status: 1,
  usage: 1,
  previous_response_id: 1,
} satisfies Partial<Record<keyof OpenAIResponse, 1>>);

test('a response has the requested model name, in the spelling of the request [RSP-03] [STR-05]', async () => {
  const spellings = ['@svc/spelled', 'svc-spelled', 'spelled', 'old-spelled', 'gpt-stock', 'next-model'];
  for (const model of spellings) {
    expect((await post({ model, input: 'hi' })).body.model).toBe(model);
    const { text } = await post({ model, input: 'hi', stream: true });
    expect(envelopesOf(dataOf(text)).map((envelope) => envelope.model)).toEqual([model, model, model]);
  }
});

describe.each([...chatWires])('on %s', (wire) => {
  const model = `on-${wire}`;
  const ask = async (fields: Record<string, unknown> = {}): Promise<Json> => {
    const answer = await post({ model, input: 'say: hello', ...fields });
    expect(answer.status, answer.text).toBe(200);
    expectNoTrace(answer, ports);
    expect(contractProblems('Response', answer.body)).toEqual([]);
    return answer.body;
  };
  const stream = async (fields: Record<string, unknown> = {}): Promise<Json[]> => {
    const answer = await post({ model, input: 'say: hello', stream: true, ...fields });
    expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
    expectNoTrace(answer, ports);
    return dataOf(answer.text);
  };

  test('a response has an id and the items of the answer [RSP-01] [RSP-02] [RSP-04] [RSP-05] [RSP-06]', async () => {
    const response = await ask();
    expect(response).toMatchObject({ object: 'response', status: 'completed', model });
    expect(response.id).toMatch(/^resp_[0-9A-Za-z]{29}$/);
    const content = [{ type: 'output_text', text: '[simulated] hello', annotations: [] }];
    expect(response.output).toMatchObject([{ type: 'message', role: 'assistant', content }]);
  });

  test('a response has the usage with its details [RSP-07] [RSP-11] [RSP-22] [RSP-30]', async () => {
    const { usage } = await ask();
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
    expect(usage).toMatchObject({
      total_tokens: usage.input_tokens + usage.output_tokens,
      input_tokens_details: { cached_tokens: expect.any(Number) },
      output_tokens_details: { reasoning_tokens: 0 },
    });
  });

  test('a response has every field that clients rely on [RSP-32]', async () => {
    expect(Object.keys(await ask())).toEqual(expect.arrayContaining(fields));
  });

  test('no setting of an envelope is absent or null where the public schemas require a value [RSP-35]', async () => {
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }];
    const envelopes = envelopesOf(await stream({ tools }));
    for (const envelope of [await ask({ tools }), ...envelopes]) {
      const { temperature, top_p, presence_penalty, frequency_penalty, service_tier, usage } = envelope;
      expect({ temperature, top_p, presence_penalty, frequency_penalty }).toEqual({
        temperature: 1,
        top_p: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
      });
      expect(service_tier).toBe('default');
      expect(usage).toBeDefined();
      expect(envelope.tools).toEqual([{ ...tools[0], description: null, strict: expect.any(Boolean) }]);
    }
    expect(await ask({ temperature: 0.5 })).toMatchObject({ temperature: 0.5 });
  });

  test('a completed response has the time of its completion, and no other has one [RSP-36]', async () => {
    const envelopes = envelopesOf(await stream());
    const times = envelopes.map(({ completed_at }) => completed_at);
    expect(times).toEqual([null, null, expect.any(Number)]);
    const { created_at, completed_at } = await ask();
    expect(completed_at).toBeGreaterThanOrEqual(created_at);
  });

  test('estimates counts that the upstream omits, with details of zero [RSP-30]', async () => {
    const { body } = await post({ model: `uncounted-on-${wire}`, input: 'hi' });
    const { input_tokens, output_tokens } = body.usage;
    expect(Math.min(input_tokens, output_tokens)).toBeGreaterThan(0);
    expect(body.usage).toEqual({
      input_tokens,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + output_tokens,
    });
  });

  test('every envelope has store and previous_response_id [RSP-08] [RSP-09]', async () => {
    for (const [fields, store] of [
      [{}, true],
      [{ store: true }, true],
      [{ store: false }, false],
    ] as const) {
      const envelopes = envelopesOf(await stream(fields));
      for (const envelope of [await ask(fields), ...envelopes])
        expect(envelope).toMatchObject({ store, previous_response_id: null });
      expect(envelopes.length).toBe(3);
    }
  });

  test('numbers the events of a stream, and ends it with the whole response [STR-07] [STR-09] [STR-10] [STR-11]', async () => {
    const events = await stream();
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    for (const event of events) {
      // The vendor sends null where its description has no value.
      if (event.response?.usage === null) delete event.response.usage;
      expect(eventProblems(event), event.type).toEqual([]);
    }
    const types = events.map(({ type }) => type.replace('response.', ''));
    expect([...new Set(types)]).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    const { response } = events.at(-1);
    expect(response).toMatchObject({ status: 'completed', output: [{ type: 'message' }] });
    expect(contractProblems('Response', response)).toEqual([]);
    expect(new Set(events.flatMap(({ response }) => response?.id ?? [])).size).toBe(1);
  });

  test('marks an answer that its ceiling ended as incomplete [RSP-17]', async () => {
    const fields = { input: 'count to 100', max_output_tokens: 16 };
    const response = await ask(fields);
    expect(response.status).toBe('incomplete');
    expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' });
    expect(response.usage.output_tokens).toBeLessThanOrEqual(16);
    const last = (await stream(fields)).at(-1);
    expect(last).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
  });

  test("lowers a ceiling above the model's output limit", async () => {
    await ask({ max_output_tokens: 1_000_000 });
    expect(JSON.stringify(sent())).toMatch(/"max\w*[tT]okens":5000\b/);
  });

  test('passes a tool call and its result, streamed and whole [RSP-13] [RSP-20]', async () => {
    const tools = [weather];
    const input: Json[] = [{ role: 'user', content: 'call weather with {"place": "Rome"}' }];
    const { output } = await ask({ tools, input });
    expect(output).toMatchObject([{ type: 'function_call', name: 'weather', status: 'completed' }]);
    expect(JSON.parse(output[0].arguments)).toEqual({ place: 'Rome' });
    const streamed = (await stream({ tools, input })).find(
      ({ type }) => type === 'response.function_call_arguments.done',
    );
    expect(JSON.parse(streamed.arguments)).toEqual({ place: 'Rome' });
    const result = { type: 'function_call_output', call_id: output[0].call_id, output: 'rain today' };
    const reported = await ask({ tools, input: [...input, ...output, result] });
    expect(reported.output[0].content[0].text).toContain('rain today');
    expect(JSON.stringify(sent())).toContain('How it is outside.');
  });

  test('passes instructions, roles and temperature [RSP-12] [RSP-16] [RSP-19]', async () => {
    await ask({
      instructions: 'be brief',
      temperature: 0.25,
      input: [
        { role: 'user', content: 'first words' },
        { role: 'assistant', content: 'second words' },
        { role: 'user', content: [{ type: 'input_text', text: 'third words' }] },
      ],
    });
    const text = JSON.stringify(sent());
    expect(text).toMatch(/first words.*second words.*third words/);
    expect(text).toContain('be brief');
    expect(text).toContain('0.25');
  });

  test('shows reasoning only on request [RSP-23] [RSP-24] [RSP-25] [RSP-31]', async () => {
    const shown = await ask({ reasoning: { effort: 'high' } });
    expect(shown.output.slice(0, 2).map(({ type }: Json) => type)).toEqual(['reasoning', 'message']);
    expect(JSON.stringify(shown.output[0])).toContain('[simulated thinking]');
    const events = await stream({ reasoning: { effort: 'low' } });
    expect(events.some(({ type }) => /reasoning.*delta/.test(type))).toBe(true);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    for (const envelope of [await ask(), ...(await stream())])
      expect(JSON.stringify(envelope)).not.toMatch(/simulated thinking|encrypted_content":"/);
    const plain = await post({ model: `plain-on-${wire}`, input: 'hi', reasoning: { summary: 'auto' } });
    expect({ status: plain.status, output: plain.body.output.map(({ type }: Json) => type) }).toEqual({
      status: 200,
      output: ['message'],
    });
  });

  test('refuses a reasoning effort that the model lacks [RSP-26]', async () => {
    for (const [model, effort] of [
      [`on-${wire}`, 'max'],
      [`plain-on-${wire}`, 'low'],
    ]) {
      const answer = await post({ model, input: 'hi', reasoning: { effort } });
      expectRefusal(answer, 422, 'route_not_qualified', 'reasoning.effort');
    }
    const answer = await post({ model: `plain-on-${wire}`, input: 'hi', reasoning: { effort: 'none' } });
    expect(answer.status).toBe(200);
  });

  test('accepts the extra fields of real clients [RSP-33]', async () => {
    await ask({ text: {}, include: [], tools: [{ ...weather, strict: null }] });
    for (const role of ['system', 'developer'])
      await ask({
        input: [
          { role: 'user', content: 'hi' },
          { role, content: 'be terse' },
        ],
      });
    expect((await post({ model, input: 'hi' }, '?beta=true&x=1')).status).toBe(200);
  });

  test("serves the official client's stream helper", async () => {
    const response = await client.responses.stream({ model, input: 'say: hello' }).finalResponse();
    expect(response).toMatchObject({ output_text: '[simulated] hello', status: 'completed' });
  });
});

test('accepts items of every kind and passes them to the model [RSP-14]', async () => {
  const file_data = `data:application/pdf;base64,${PDF}`;
  const image_url = `data:image/png;base64,${PNG}`;
  const call = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"place":"Rome"}' };
  const custom = { type: 'custom_tool_call', call_id: 'call_2', name: 'shell', input: 'list files' };
  const spaced = { ...call, call_id: 'call_3', name: 'lookup', namespace: 'places' };
  const output = [{ type: 'input_text', text: 'a list of names' }];
  const input = [
    { role: 'developer', content: 'plain guidance' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'plain words' },
        { type: 'input_image', image_url, detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'thought of it' }],
    },
    call,
    custom,
    spaced,
    { type: 'function_call_output', call_id: 'call_1', output: 'rain today' },
    { type: 'custom_tool_call_output', call_id: 'call_2', output },
    { type: 'function_call_output', call_id: 'call_3', output: [{ type: 'input_text', text: 'found it' }] },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'rather not' }] },
    { role: 'user', content: 'last words' },
  ];
  const tools = [
    weather,
    { type: 'custom', name: 'shell' },
    { type: 'namespace', name: 'places', description: 'Places.', tools: [{ ...weather, name: 'lookup' }] },
  ];
  const said = ['plain guidance', 'plain words', 'list files', 'rain today', 'a list of names', 'found it'];
  for (const wire of chatWires) {
    const answer = await post({ model: `on-${wire}`, input, tools });
    expect(answer.status, `${wire}: ${answer.text}`).toBe(200);
    const text = JSON.stringify(sent());
    for (const words of [...said, 'rather not', 'last words', PNG, PDF]) expect(text).toContain(words);
  }
  await post({ model: 'spelled', input, tools });
  expect(sent().input).toEqual(input);
});

test('sends text while the upstream is still generating [STR-08]', async () => {
  for (const wire of chatWires) {
    const body = { model: `stalling-on-${wire}`, input: 'count to 50', stream: true };
    const response = await fetch(`${server.url}/v1/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('response.output_text.delta')) text += (await reader.read()).value ?? '';
    expect(text).not.toContain('response.completed');
    await reader.cancel();
  }
});

test('names a missing or invalid field [RSP-10]', async () => {
  const unreported = [{ role: 'user', content: [{ type: 'input_text' }] }];
  for (const [body, param] of [
    [{ input: 'hi' }, 'model'],
    [{ model: 'spelled' }, 'input'],
    [{ model: 'spelled', input: unreported }, 'input[0].content[0].text'],
    [{ model: 'spelled', input: 'hi', temperature: 7 }, 'temperature'],
  ] as const)
    expectRefusal(await post(body), 400, 'invalid_request', param);
});

test('refuses a stored prompt on another protocol', async () => {
  const body = { model: 'on-anthropic-messages', input: 'hi', prompt: { id: 'p' } };
  expectRefusal(await post(body), 422, 'route_not_qualified', 'prompt');
});

test('passes custom and namespaced tools as sent [RSP-21]', async () => {
  const tools = [
    { type: 'custom', name: 'shell', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
    { type: 'namespace', name: 'files', description: 'Files.', tools: [weather] },
    { type: 'web_search' },
  ];
  await post({ model: 'spelled', input: 'hi', tools });
  expect(sent().tools).toEqual(tools);
});

test('sends a stored prompt to a provider of this protocol', async () => {
  await post({ model: 'spelled', input: 'hi', prompt: { id: 'pmpt_1' } });
  expect(sent().prompt).toEqual({ id: 'pmpt_1' });
});
