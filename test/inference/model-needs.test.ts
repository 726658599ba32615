import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { PDF, PNG } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const route = (wire: string) => [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }];
const none = { tools: false, reasoning: false, vision: false, documents: false };
/** Calls tools, but only as it likes, and answers in no form. */
const loose = ['messages', 'max_tokens', 'stream', 'tools', 'tool_choice', 'reasoning'];

const server = await startServer({
  config: {
    providers: wireProviders(upstream.url, 'hidden-'),
    catalog: {
      default: false,
      models: chatWires.flatMap((wire) => [
        ableModel(`able-${wire}`, route(wire)),
        ableModel(`plain-${wire}`, route(wire), { capabilities: none, reasoning_efforts: [] }),
        ableModel(`budget-${wire}`, route(wire), { reasoning_efforts: [] }),
        ableModel(`loose-${wire}`, route(wire), { supported_parameters: loose, reasoning_efforts: ['low'] }),
      ]),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const schema = {
  type: 'object',
  properties: { place: { type: 'string' } },
  required: ['place'],
  additionalProperties: false,
};
const pngUrl = `data:image/png;base64,${PNG}`;
const pdfUrl = `data:application/pdf;base64,${PDF}`;
const chatTool = { type: 'function', function: { name: 'weather', parameters: schema } };
const tool = { name: 'weather', input_schema: schema };
const responsesTool = { type: 'function', name: 'weather', parameters: schema, strict: true };
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
const pdf = { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } };
const inputImage = { type: 'input_image', detail: 'auto', image_url: pngUrl };
const inputFile = { type: 'input_file', filename: 'a.pdf', file_data: pdfUrl };

type Ask = { needs: string; at: string; fields: Record<string, Json> };

const says = (content: Json) => [{ role: 'user', content }];
const chatFormat = (strict: boolean) => ({ type: 'json_schema', json_schema: { name: 'a', schema, strict } });

const asks: Record<string, Ask[]> = {
  '/v1/messages': [
    {
      needs: 'vision',
      at: 'messages[0].content[1]',
      fields: { messages: says([{ type: 'text', text: 'hi' }, image]) },
    },
    {
      needs: 'vision',
      at: 'messages[2].content[0].content[0]',
      fields: {
        tools: [tool],
        messages: [
          ...says('hi'),
          { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
          ...says([{ type: 'tool_result', tool_use_id: 'toolu_1', content: [image] }]),
        ],
      },
    },
    {
      needs: 'vision',
      at: 'messages[0].content[0].source.content[0]',
      fields: { messages: says([{ type: 'document', source: { type: 'content', content: [image] } }]) },
    },
    { needs: 'documents', at: 'messages[0].content[0]', fields: { messages: says([pdf]) } },
    { needs: 'force', at: 'tool_choice', fields: { tools: [tool], tool_choice: { type: 'any' } } },
    {
      needs: 'force',
      at: 'tool_choice',
      fields: { tools: [tool], tool_choice: { type: 'tool', name: 'weather' } },
    },
    { needs: 'tools', at: 'tools', fields: { tools: [tool] } },
    {
      needs: 'format',
      at: 'output_config.format',
      fields: { output_config: { format: { type: 'json_schema', schema } } },
    },
    { needs: 'format', at: 'output_format', fields: { output_format: { type: 'json_schema', schema } } },
  ],
  '/v1/chat/completions': [
    {
      needs: 'vision',
      at: 'messages[0].content[0]',
      fields: { messages: says([{ type: 'image_url', image_url: { url: pngUrl } }]) },
    },
    {
      needs: 'documents',
      at: 'messages[0].content[0]',
      fields: { messages: says([{ type: 'file', file: { filename: 'a.pdf', file_data: pdfUrl } }]) },
    },
    { needs: 'force', at: 'tool_choice', fields: { tools: [chatTool], tool_choice: 'required' } },
    {
      needs: 'force',
      at: 'tool_choice',
      fields: { tools: [chatTool], tool_choice: { type: 'function', function: { name: 'weather' } } },
    },
    { needs: 'tools', at: 'tools', fields: { tools: [chatTool] } },
    { needs: 'tools', at: 'functions', fields: { functions: [chatTool.function] } },
    { needs: 'format', at: 'response_format', fields: { response_format: chatFormat(true) } },
    { needs: 'effort', at: 'reasoning_effort', fields: { reasoning_effort: 'high' } },
  ],
  '/v1/responses': [
    {
      needs: 'vision',
      at: 'input[0].content[1]',
      fields: { input: says([{ type: 'input_text', text: 'hi' }, inputImage]) },
    },
    {
      needs: 'vision',
      at: 'input[2].output[0]',
      fields: {
        input: [
          ...says('hi'),
          { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c1', output: [inputImage] },
        ],
      },
    },
    { needs: 'documents', at: 'input[0].content[0]', fields: { input: says([inputFile]) } },
    { needs: 'force', at: 'tool_choice', fields: { tools: [responsesTool], tool_choice: 'required' } },
    {
      needs: 'force',
      at: 'tool_choice',
      fields: { tools: [responsesTool], tool_choice: { type: 'function', name: 'weather' } },
    },
    { needs: 'tools', at: 'tools', fields: { tools: [responsesTool] } },
    {
      needs: 'format',
      at: 'text.format',
      fields: { text: { format: { type: 'json_schema', name: 'a', schema, strict: true } } },
    },
    { needs: 'effort', at: 'reasoning.effort', fields: { reasoning: { effort: 'high' } } },
  ],
};

const base: Record<string, (model: string) => Json> = {
  '/v1/messages': (model) => ({ model, max_tokens: 2_000, messages: says('hi') }),
  '/v1/chat/completions': (model) => ({ model, messages: says('hi') }),
  '/v1/responses': (model) => ({ model, input: 'hi' }),
};
const post = (path: string, model: string, fields: Json = {}) =>
  server.call(path, { headers: bearer(key), body: { ...base[path]!(model), ...fields } });

/** Expects a refusal of a path. */
async function expectUnmet(path: string, model: string, { needs, at, fields }: Ask): Promise<void> {
  const before = upstream.requests().length;
  const answer = await post(path, model, fields);
  const isBad = needs === 'vision' || needs === 'documents';
  const [status, code] = isBad ? [400, 'invalid_request'] : [422, 'route_not_qualified'];
  const message =
    path === '/v1/messages'
      ? expectMessagesError(answer, status as number, ['invalid_request_error', code as string])
      : expectRefusal(answer, status as number, code as string, at).message;
  expect(message).toStartWith(`${at}: ${model} `);
  expect(upstream.requests().length).toBe(before);
}

const title = ({ needs, at }: Ask) => `${needs} at ${at}`;
const tagsOf: Record<string, string> = {
  '/v1/messages': '[MSG-17] [MSG-18] [MSG-25] [MSG-26] [MSG-28]',
  '/v1/chat/completions': '[CHT-08] [CHT-13] [ERR-24]',
  '/v1/responses': '[RSP-15] [RSP-26] [RSP-27]',
};

describe.each(Object.keys(asks))('on %s', (path) => {
  const all = asks[path]!;

  describe.each(['openai-chat', 'openai-responses', 'anthropic-messages'])('over %s', (wire) => {
    test(`refuses a feature that the model lacks, with its field ${tagsOf[path]}`, async () => {
      for (const ask of all) {
        // A tool result needs its tool, which this case does not test.
        await expectUnmet(path, `plain-${wire}`, ask).catch((error) => {
          throw new Error(`${title(ask)}: ${error.message}`);
        });
      }
    });

    test('refuses forced calls and strict schemas for a model that does not guarantee them', async () => {
      for (const ask of all.filter(({ needs }) => ['force', 'format', 'effort'].includes(needs)))
        await expectUnmet(path, `loose-${wire}`, ask);
    });

    test('serves every feature on a model that has them all [MSG-13] [MSG-14]', async () => {
      for (const ask of all) {
        const { status, text } = await post(path, `able-${wire}`, ask.fields);
        expect(status, `${title(ask)}: ${text}`).toBe(200);
        const sent = JSON.stringify(upstream.requests().at(-1)!.body);
        if (ask.needs === 'vision') expect(sent).toContain(PNG);
        if (ask.needs === 'documents') expect(sent).toContain(PDF);
      }
    });
  });
});

describe('does not refuse optional features', () => {
  const soft: [string, string, Json][] = [
    ['/v1/messages', 'tools that are not to be called', { tools: [tool], tool_choice: { type: 'none' } }],
    ['/v1/messages', 'no tools at all', { tools: [] }],
    [
      '/v1/messages',
      'an effort, and thinking [MSG-27]',
      { output_config: { effort: 'high' }, thinking: { type: 'adaptive' } },
    ],
    [
      '/v1/messages',
      'a document of text',
      {
        messages: says([
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
        ]),
      },
    ],
    ['/v1/chat/completions', 'tools that are not to be called', { tools: [chatTool], tool_choice: 'none' }],
    ['/v1/chat/completions', 'a form that is not strict', { response_format: chatFormat(false) }],
    ['/v1/chat/completions', 'to think not at all', { reasoning_effort: 'none' }],
    [
      '/v1/chat/completions',
      'nulls',
      { tools: null, tool_choice: null, reasoning_effort: null, response_format: null },
    ],
    ['/v1/responses', 'tools that are not to be called', { tools: [responsesTool], tool_choice: 'none' }],
    ['/v1/responses', 'reasoning without an effort [RSP-31]', { reasoning: { summary: 'auto' } }],
    ['/v1/responses', 'to think not at all', { reasoning: { effort: 'none' } }],
  ];

  test.each(soft)('%s: %s', async (path, _, fields) => {
    for (const wire of ['openai-chat', 'openai-responses', 'anthropic-messages']) {
      const { status, body, text } = await post(path, `plain-${wire}`, fields);
      expect(status, `${wire}: ${text}`).toBe(200);
      if (fields.reasoning) expect(body.output.map(({ type }: Json) => type)).not.toContain('reasoning');
    }
  });

  test('passes a listed effort, and replaces an optional one by the next lower [MSG-27]', async () => {
    for (const wire of chatWires) {
      expect((await post('/v1/responses', `loose-${wire}`, { reasoning: { effort: 'low' } })).status).toBe(
        200,
      );
      expect((await post('/v1/messages', `loose-${wire}`, { output_config: { effort: 'max' } })).status).toBe(
        200,
      );
    }
  });
});

describe('efforts', () => {
  const effortsOf = async (id: string): Promise<Json> =>
    (await server.call(`/v1/models/${id}`)).body.svc.reasoning_efforts;

  test('are listed with the model, and named when a request asks for another [MOD-61]', async () => {
    for (const wire of chatWires) {
      expect(await effortsOf(`loose-${wire}`)).toEqual(['low']);
      const answer = await post('/v1/chat/completions', `loose-${wire}`, { reasoning_effort: 'medium' });
      const { message } = expectRefusal(answer, 422, 'route_not_qualified', 'reasoning_effort');
      expect(message).toContain('it takes low');
    }
  });

  test('become a budget on wires without levels [MOD-61]', async () => {
    const budgets = {
      'anthropic-messages': ({ thinking }: Json) => thinking.budget_tokens,
      'google-generate': ({ generationConfig }: Json) => generationConfig.thinkingConfig.thinkingBudget,
    };
    for (const [wire, budgetIn] of Object.entries(budgets)) {
      const model = `budget-${wire}`;
      expect(await effortsOf(model)).toEqual(['low', 'medium', 'high']);
      const sent = [];
      for (const reasoning_effort of ['low', 'medium', 'high']) {
        const fields = { reasoning_effort, max_completion_tokens: 60_000 };
        expect((await post('/v1/chat/completions', model, fields)).status).toBe(200);
        sent.push(budgetIn(upstream.requests().at(-1)!.body as Json));
      }
      expect(sent).toEqual([1_024, 8_192, 24_576]);
    }
    const answer = await post('/v1/chat/completions', 'budget-openai-chat', { reasoning_effort: 'medium' });
    expect(expectRefusal(answer, 422, 'route_not_qualified', 'reasoning_effort').message).toContain(
      'it has no effort levels, so omit the effort',
    );
  });
});

test('refuses a count like the request itself', async () => {
  const answer = await server.call('/v1/messages/count_tokens', {
    headers: bearer(key),
    body: { model: 'plain-openai-chat', messages: says([image]) },
  });
  const message = expectMessagesError(answer, 400, ['invalid_request_error', 'invalid_request']);
  expect(message).toStartWith('messages[0].content[0]: plain-openai-chat ');
});

test('refuses media without a form at the provider, with its place, in every dialect [ERR-14]', async () => {
  const url = 'https://a.example/b.png';
  const text = { type: 'text', text: 'what is this?' };
  const chat = await server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: {
      model: 'able-bedrock-converse',
      messages: says([text, { type: 'image_url', image_url: { url } }]),
    },
  });
  expectRefusal(chat, 400, 'invalid_request', 'messages[0].content[1].image_url.url');
  const messages = await server.call('/v1/messages', {
    headers: bearer(key),
    body: {
      model: 'able-bedrock-converse',
      max_tokens: 9,
      messages: says([text, { type: 'image', source: { type: 'url', url } }]),
    },
  });
  const message = expectMessagesError(messages, 400, ['invalid_request_error', 'invalid_request']);
  expect(message).toStartWith('messages[0].content[1].source.url: ');
  const sound = { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } };
  const audio = await server.call('/v1/chat/completions', {
    headers: bearer(key),
    body: { model: 'able-anthropic-messages', messages: says([text, sound]) },
  });
  expectRefusal(audio, 422, 'route_not_qualified', 'messages[0].content[1].input_audio.data');
});
