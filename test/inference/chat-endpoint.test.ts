import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { chatBody, type Json } from '../support/call.ts';
import { dataOf } from '../support/messages-body.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const route = (wire: string, how = '') => [{ provider: `hidden-${wire}`, model: `hidden-${wire}${how}` }];

const server = await startServer({
  config: {
    providers: wireProviders(upstream.url, 'hidden-'),
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`@svc/on-${wire}`, route(wire))),
        ...chatWires.map((wire) => ableModel(`uncounted-on-${wire}`, route(wire, '!usage=none'))),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const says = (content: unknown) => [{ role: 'user', content }];
const sent = () => JSON.stringify(upstream.requests().at(-1)!.body);
const parameters = { type: 'object', properties: { place: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'weather', parameters } }];

describe.each([...chatWires])('on %s', (wire) => {
  const ask = async (fields: Record<string, unknown> = {}): Promise<Json> => {
    const { status, body, text } = await server.chat(key, `on-${wire}`, fields);
    expect(status, text).toBe(200);
    return body;
  };
  const stream = async (fields: Record<string, unknown> = {}) => {
    const { text } = await server.chat(key, `on-${wire}`, { stream: true, ...fields });
    return { text, chunks: dataOf(text) };
  };

  test('a completion has an id, choices and usage with its sum [CHT-01] [CHT-03] [CHT-04]', async () => {
    const completion = await ask({ messages: says('say: hello') });
    expect(completion).toMatchObject({ object: 'chat.completion', created: expect.any(Number) });
    expect(completion.id).toMatch(/^chatcmpl-[0-9A-Za-z]{29}$/);
    expect(completion.choices).toMatchObject([
      { index: 0, message: { role: 'assistant', content: '[simulated] hello' }, finish_reason: 'stop' },
    ]);
    const { prompt_tokens, completion_tokens, total_tokens, ...details } = completion.usage;
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(completion_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(details).toMatchObject({
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });

  if (wire !== 'openai-chat') {
    test("a completion has every field of the official client's types [CHT-18]", async () => {
      const { choices, ...completion } = await ask();
      const keys = Object.keys({ ...completion, choices, ...choices[0], ...choices[0].message });
      const wanted = ['id', 'object', 'created', 'model', 'choices', 'usage'];
      const ofChoice = ['index', 'message', 'finish_reason', 'logprobs', 'role', 'content', 'refusal'];
      expect(keys).toEqual(expect.arrayContaining([...wanted, ...ofChoice]));
    });

    test('estimates counts that the upstream omits, with details of zero [CHT-03] [CHT-04]', async () => {
      const { body } = await server.chat(key, `uncounted-on-${wire}`);
      const { prompt_tokens, completion_tokens } = body.usage;
      expect(prompt_tokens).toBeGreaterThan(0);
      expect(completion_tokens).toBeGreaterThan(0);
      expect(body.usage).toMatchObject({
        total_tokens: prompt_tokens + completion_tokens,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      });
    });
  }

  test('gives every chunk the requested model name and one id [CHT-02] [CHT-05]', async () => {
    for (const spelling of [`@svc/on-${wire}`, `svc-on-${wire}`, `on-${wire}`]) {
      expect((await server.chat(key, spelling)).body.model).toBe(spelling);
      const { text, headers } = await server.chat(key, spelling, { stream: true });
      expect(headers.get('content-type')).toStartWith('text/event-stream');
      const names = dataOf(text).map(({ model, object }) => `${model} ${object}`);
      expect([...new Set(names)]).toEqual([`${spelling} chat.completion.chunk`]);
      expect(new Set(dataOf(text).map(({ id }) => id)).size).toBe(1);
      expect(text).toEndWith('\n\ndata: [DONE]\n\n');
    }
  });

  test('sends the usage of a stream last, and only on request [CHT-06]', async () => {
    const { chunks } = await stream({ stream_options: { include_usage: true } });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage == null)).toBe(true);
    for (const { usage, choices } of (await stream()).chunks) {
      expect(usage ?? null).toBeNull();
      expect(choices).toHaveLength(1);
    }
  });

  test('passes a tool call and its result, streamed and whole [CHT-07]', async () => {
    const first = says('call weather with {"place": "Rome"}');
    const whole = await ask({ tools, messages: first });
    expect(whole.choices[0].finish_reason).toBe('tool_calls');
    const { chunks } = await stream({ tools, messages: first });
    const [delta] = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(delta).toMatchObject({ index: 0, type: 'function', function: { name: 'weather' } });
    expect(chunks.findLast(({ choices }) => choices.length > 0).choices[0].finish_reason).toBe('tool_calls');
    const { message } = whole.choices[0];
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'rain today' };
    const then = { tools, messages: [...first, message, result] };
    expect((await ask(then)).choices[0].message.content).toContain('rain today');
    const reported = (await stream(then)).chunks
      .map(({ choices }) => choices[0]?.delta.content ?? '')
      .join('');
    expect(reported).toContain('rain today');
  });

  test('ends an answer at max_tokens and max_completion_tokens', async () => {
    for (const field of ['max_tokens', 'max_completion_tokens']) {
      const { choices, usage } = await ask({ messages: says('count to 100'), [field]: 16 });
      expect(choices[0].finish_reason).toBe('length');
      expect(usage.completion_tokens).toBeLessThanOrEqual(16);
    }
  });

  // The responses protocol has no such field.
  if (wire !== 'openai-responses') {
    test('ends an answer at a stop sequence', async () => {
      for (const stop of [' 7 ', [' 7 ']]) {
        const [choice] = (await ask({ messages: says('count to 100'), stop })).choices;
        expect(choice).toMatchObject({
          message: { content: '[simulated] 1 2 3 4 5 6' },
          finish_reason: 'stop',
        });
      }
    });
  }

  test('accepts the extra fields of real clients [CHT-19]', async () => {
    for (const role of ['system', 'developer']) {
      const messages = [...says('hi'), { role: 'assistant', content: 'yes' }, { role, content: 'be terse' }];
      await ask({ messages: [...messages, ...says('and?')] });
      expect(sent()).toContain('be terse');
    }
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
    const called = { role: 'assistant', content: null, tool_calls: [call] };
    const result = { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'rain' }] };
    const strict = [{ type: 'function', function: { name: 'weather', parameters, strict: null } }];
    await ask({ tools: strict, messages: [...says('hi'), called, result] });
    expect(sent()).toContain('rain');
    const headers = { authorization: `Bearer ${key}` };
    const answer = await server.call('/v1/chat/completions?beta=true&x=1', {
      headers,
      body: chatBody(`on-${wire}`),
    });
    expect(answer.status).toBe(200);
  });
});
