import { afterAll, describe, expect, test } from 'bun:test';
import catalog from '../../src/settings/catalog/default-catalog.json' with { type: 'json' };
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

// The simulator refuses what the models' vendors refuse.
const server = await startServer({ config: { plans: wideLimits } });
afterAll(() => server.stop());
const payg = await server.createKey('payg');
await server.admin('POST', `/accounts/${payg.account}/adjustments`, {
  ...{ credits: 1_000_000, balance: 'purchased', reason: 'a test' },
});
const models = catalog.models.filter(({ kind }) => kind === 'chat').map(({ id }) => id);

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

describe('every model of the default catalog answers a request with a temperature [RES-33]', () => {
  test('the list has chat models', () => expect(models.length).toBeGreaterThan(100));

  test.each(dialects)(
    'on %s, with and without tools',
    async (path, body, tools) => {
      const refused: unknown[] = [];
      for (const model of models)
        for (const fields of [{}, { tools }]) {
          const answer = await ask(path, { model, ...body, ...fields });
          const lacksTools =
            answer.status === 422 && 'tools' in fields && /does not support tools/.test(answer.text);
          if (answer.status !== 200 && !lacksTools) refused.push([model, answer.status, answer.text]);
        }
      expect(refused).toEqual([]);
    },
    120_000,
  );
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
    expect((await small('claude-sonnet-4-5', prefilled))[0]).toBe(200);
  });
});

describe('DeepSeek gets the thinking of every earlier turn with tools', () => {
  const call = { id: 'call_1', type: 'function', function: { name, arguments: '{}' } };
  const [, , tools] = dialects[0]!;

  test('also where the client did not return it', async () => {
    const answer = await ask('/v1/chat/completions', {
      ...{ model: '@svc/deepseek-v4-flash', max_tokens: 2_000, tools },
      messages: [
        ...messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'A harbour.' },
        { role: 'assistant', content: 'A harbour.' },
        ...messages,
      ],
    });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  });

  test('on messages and responses over a second turn', async () => {
    const [, , messagesTools] = dialects[1]!;
    const first = await ask('/v1/messages', {
      ...{ model: '@svc/deepseek-v4-flash', max_tokens: 4_000, messages, tools: messagesTools },
      ...{ thinking: { type: 'enabled', budget_tokens: 1_024 }, tool_choice: { type: 'auto' } },
    });
    expect(first.status).toBe(200);
    const second = await ask('/v1/messages', {
      ...{ model: '@svc/deepseek-v4-flash', max_tokens: 4_000, tools: messagesTools },
      messages: [...messages, { role: 'assistant', content: first.body.content }, ...messages],
    });
    expect([second.status, second.status === 200 ? '' : second.text]).toEqual([200, '']);
    const [, , responsesTools] = dialects[2]!;
    const begun = await ask('/v1/responses', {
      ...{
        model: '@svc/deepseek-v4-flash',
        input: 'Hi.',
        tools: responsesTools,
        reasoning: { effort: 'high' },
      },
    });
    const next = await ask('/v1/responses', {
      ...{ model: '@svc/deepseek-v4-flash', tools: responsesTools },
      input: [{ role: 'user', content: 'Hi.' }, ...begun.body.output, { role: 'user', content: 'And?' }],
    });
    expect([next.status, next.status === 200 ? '' : next.text]).toEqual([200, '']);
  });
});
