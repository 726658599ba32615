import { afterAll, describe, expect, test } from 'bun:test';
import catalog from '../../src/settings/catalog/default-catalog.json' with { type: 'json' };
import { type Answer, bearer, type Json } from '../support/call.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

// The simulator refuses what the models' vendors refuse.
const server = await startServer({ config: { plans: wideLimits } });
afterAll(() => server.stop());
const payg = await server.createKey('payg');
await server.admin('POST', `/accounts/${payg.account}/adjustments`, {
  credits: 1_000_000,
  balance: 'purchased',
  reason: 'a test',
});
type Row = {
  id: string;
  kind: string;
  refuses?: string[];
  reasoning_efforts?: string[];
  routes: { wires?: string[] }[];
};
const rows = (catalog.models as Row[]).filter(({ kind }) => kind === 'chat');
const models = rows.map(({ id }) => id);

/** In the ordinary run, models take turns with the forms of a request. */
const share = (turn: number, of = 6) => shareOf(models, { turn, of });

const messages = [{ role: 'user', content: 'Hi.' }];
const tool = { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } };
const { name, description, schema } = tool;
const dialects: [path: string, body: Json, tools: Json][] = [
  [
    '/v1/chat/completions',
    { messages, max_tokens: 2_000, temperature: 0.2 },
    [{ type: 'function', function: { name, description, parameters: schema } }],
  ],
  [
    '/v1/messages',
    { messages, max_tokens: 2_000, temperature: 0.2 },
    [{ name, description, input_schema: schema }],
  ],
  [
    '/v1/responses',
    { input: 'Hi.', max_output_tokens: 2_000, temperature: 0.2 },
    [{ type: 'function', name, description, parameters: schema }],
  ],
];

const ask = (path: string, body: Json) =>
  server.call(path, { headers: { ...bearer(payg.key), 'x-svc-payment-mode': 'payg' }, body });

/** Sends a request to every model, some at a time, and returns the models that did not answer it. */
async function refusing(
  models: readonly string[],
  { path, body, isFine }: { path: string; body: Json; isFine?: (answer: Answer) => boolean },
): Promise<unknown[]> {
  const refused: unknown[] = [];
  const left = [...models];
  const work = async () => {
    for (let model = left.shift(); model !== undefined; model = left.shift()) {
      const answer = await ask(path, { ...body, model });
      const failed = /^(event: error|data: \{"error")/m.test(answer.text);
      if ((answer.status !== 200 || failed) && !isFine?.(answer))
        refused.push([model, answer.status, answer.text]);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return refused;
}

const lacksTools = ({ status, text }: Answer) => status === 422 && /does not support tools/.test(text);

describe('every model of the default catalog answers a request with a temperature [RES-33]', () => {
  test('the list has chat models', () => expect(models.length).toBeGreaterThan(100));

  test.each(dialects)(
    'on %s: whole, streamed, and with tools',
    async (path, body, tools) => {
      expect(await refusing(share(0), { path, body })).toEqual([]);
      expect(await refusing(share(2), { path, body: { ...body, stream: true } })).toEqual([]);
      expect(await refusing(share(4), { path, body: { ...body, tools }, isFine: lacksTools })).toEqual([]);
    },
    120_000,
  );

  test('on /v1/completions: whole and streamed', async () => {
    const body = { prompt: 'Hi.', max_tokens: 2_000, temperature: 0.2 };
    for (const stream of [false, true])
      expect(await refusing(share(1, 3), { path: '/v1/completions', body: { ...body, stream } })).toEqual([]);
  }, 120_000);

  test('and with every other preference of the dialects', async () => {
    const chat = {
      messages,
      max_tokens: 2_000,
      temperature: 0.2,
      top_p: 0.9,
      presence_penalty: 0.1,
      frequency_penalty: 0.1,
      seed: 4,
      stop: ['zz'],
      logit_bias: { 50256: -1 },
      verbosity: 'low',
      parallel_tool_calls: false,
      service_tier: 'flex',
    };
    expect(await refusing(share(2, 3), { path: '/v1/chat/completions', body: chat })).toEqual([]);
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const own = { messages, max_tokens: 4_000, stop_sequences: ['zz'] };
    for (const fields of [{ thinking }, { temperature: 0.2, top_p: 0.9, top_k: 4 }])
      expect(await refusing(share(0, 3), { path: '/v1/messages', body: { ...own, ...fields } })).toEqual([]);
  }, 120_000);

  test('and each effort that its row lists', async () => {
    const efforts = [...new Set(rows.flatMap(({ reasoning_efforts = [] }) => reasoning_efforts))];
    for (const effort of efforts) {
      const able = rows.filter((row) => row.reasoning_efforts?.includes(effort)).map(({ id }) => id);
      expect(able.length).toBeGreaterThan(0);
      const chat = { messages, max_tokens: 4_000, reasoning_effort: effort };
      expect(
        await refusing(shareOf(able, { turn: 0, of: 2 }), { path: '/v1/chat/completions', body: chat }),
      ).toEqual([]);
      const response = { input: 'Hi.', reasoning: { effort } };
      expect(
        await refusing(shareOf(able, { turn: 1, of: 2 }), { path: '/v1/responses', body: response }),
      ).toEqual([]);
    }
  }, 120_000);
});

describe('the simulator refuses as the vendors do, which only the lists of the catalog prevent', () => {
  const makers = /^(claude|gpt|gemini|grok)/;
  const bare = rows
    .filter(({ id, refuses = [] }) => makers.test(id) && refuses.length > 0)
    .map(({ comparable: _others, aliases: _names, launch: _launch, ...row }: Json) => ({
      ...row,
      plan: 'free',
      refuses: [],
      system_as: 'instructions',
    })) as unknown as Row[];
  const members: [word: string, path: string, body: Json][] = [
    ['temperature', '/v1/chat/completions', { messages, temperature: 0.2 }],
    ['sampling', '/v1/messages', { messages, max_tokens: 2_000, temperature: 0.2 }],
    ['top_p_with_temperature', '/v1/messages', { messages, max_tokens: 2_000, temperature: 0.2, top_p: 0.9 }],
    ['penalties', '/v1/chat/completions', { messages, presence_penalty: 0.5 }],
    ['stop', '/v1/chat/completions', { messages, stop: ['zz'] }],
    [
      'thinking_budget',
      '/v1/messages',
      { messages, max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    [
      'prefill',
      '/v1/messages',
      { messages: [...messages, { role: 'assistant', content: 'I' }], max_tokens: 2_000 },
    ],
  ];

  test('for each model and member', async () => {
    const plain = await startServer({
      config: {
        plans: wideLimits,
        catalog: { models: bare as never },
        routing: { learn_refusals: false },
      },
    });
    const { key } = await plain.createKey('enterprise');
    for (const [word, path, body] of members) {
      const named = rows.filter(({ id, refuses = [] }) => makers.test(id) && refuses.includes(word));
      expect([word, named.length > 0]).toEqual([word, true]);
      const taken: unknown[] = [];
      for (const { id, routes } of named) {
        // The wire of responses has neither penalties nor stop sequences.
        const isUnknown =
          ['penalties', 'stop'].includes(word) && routes[0]?.wires?.[0] === 'openai-responses';
        const { status, text } = await plain.call(path, {
          headers: bearer(key),
          body: { ...body, model: id },
        });
        if (status !== 400 && !isUnknown) taken.push([word, id, status, text.slice(0, 300)]);
      }
      expect(taken).toEqual([]);
    }
    await plain.stop();
  }, 120_000);
});

describe('what the simulator refuses of a model', () => {
  const small = async (model: string, fields: Json) => {
    const body = { model, max_tokens: 2_000, messages, ...fields };
    const answer = await ask('/v1/messages', body);
    return [answer.status, answer.headers.get('x-svc-translation-losses')];
  };

  test('is left out by the default catalog and reported', async () => {
    expect(await small('claude-opus-4-7', { temperature: 0.2 })).toEqual([200, 'sampling']);
    expect(await small('claude-sonnet-4-6', { temperature: 0.2 })).toEqual([200, null]);
    expect(await small('claude-opus-4-8', { thinking: { type: 'enabled', budget_tokens: 1_024 } })).toEqual([
      200,
      'thinking-budget',
    ]);
    expect((await small('gpt-6-sol', { top_p: 0.5 }))[1]).toContain('sampling');
  });

  test('is refused with 422 before the call if it is a requirement', async () => {
    const prefilled = { messages: [...messages, { role: 'assistant', content: 'I' }] };
    expect((await small('claude-opus-5', prefilled))[0]).toBe(422);
    expect((await small('claude-haiku-4-5', prefilled))[0]).toBe(200);
  });
});

describe('DeepSeek gets the thinking of every earlier turn with tools', () => {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: '{}' } };
  const [, , tools] = dialects[0]!;

  test('even where the client did not return it', async () => {
    const answer = await ask('/v1/chat/completions', {
      model: '@svc/deepseek-v4-flash',
      max_tokens: 2_000,
      tools,
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'A harbour.' },
        { role: 'assistant', content: 'A harbour.' },
        ...messages,
      ],
    });
    expect(answer.status, answer.text).toBe(200);
  });

  test('on messages and responses over a second turn', async () => {
    const [, , messagesTools] = dialects[1]!;
    const first = await ask('/v1/messages', {
      model: '@svc/deepseek-v4-flash',
      max_tokens: 4_000,
      messages,
      tools: messagesTools,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tool_choice: { type: 'auto' },
    });
    expect(first.status).toBe(200);
    const second = await ask('/v1/messages', {
      model: '@svc/deepseek-v4-flash',
      max_tokens: 4_000,
      tools: messagesTools,
      messages: [...messages, { role: 'assistant', content: first.body.content }, ...messages],
    });
    expect(second.status, second.text).toBe(200);
    const [, , responsesTools] = dialects[2]!;
    const begun = await ask('/v1/responses', {
      model: '@svc/deepseek-v4-flash',
      input: 'Hi.',
      tools: responsesTools,
      reasoning: { effort: 'high' },
    });
    const next = await ask('/v1/responses', {
      model: '@svc/deepseek-v4-flash',
      tools: responsesTools,
      input: [{ role: 'user', content: 'Hi.' }, ...begun.body.output, { role: 'user', content: 'And?' }],
    });
    expect(next.status, next.text).toBe(200);
  });
});
