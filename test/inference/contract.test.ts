import { afterAll, describe, expect, test } from 'bun:test';
import { contractProblems, eventProblems } from '../../src/translation/protocols/testing/openai-contract.ts';
import { bearer, type Json } from '../support/call.ts';
import { dataOf } from '../support/messages-body.ts';
import { PNG } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, simulated } from '../support/wire-models.ts';

const vectors = ableModel('vectors', [simulated('openai-embeddings')], {
  kind: 'embedding',
  output_dimensions: 256,
});
const server = await startServer({
  config: {
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [simulated(wire)])),
        ableModel('on-openai-completions', [simulated('openai-completions')]),
        { ...vectors, capabilities: undefined },
        ableModel('broken', [simulated('openai-chat', 'm!status=500')]),
      ],
    },
  },
});
afterAll(() => server.stop());
const { key } = await server.createKey('enterprise');

const post = async (path: string, body: object) => {
  const answer = await server.call(path, { headers: bearer(key), body });
  expect(answer.status, answer.text).toBe(200);
  return answer;
};
const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const image = `data:image/png;base64,${PNG}`;
const says = (content: unknown) => [{ role: 'user', content }];

/** The request fields for every wire, without the model. */
const chats: Record<string, Json> = {
  text: { messages: says('say: äöü 🙂') },
  'a refusal': { messages: says('refuse: no') },
  'two calls': {
    messages: says('ask the weather and the clock'),
    tools: ['weather', 'clock'].map((name) => ({ type: 'function', function: { name, parameters } })),
  },
  thinking: { messages: says('hello'), reasoning_effort: 'low' },
  'an image': {
    messages: says([
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: image } },
    ]),
  },
  JSON: {
    messages: says('a number'),
    response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema } },
  },
  'an answer cut short': { messages: says('count to 100'), max_tokens: 16 },
  'two answers': { messages: says('hello'), n: 2 },
};

const responses: Record<string, Json> = {
  text: { input: 'say: äöü 🙂' },
  'a refusal': { input: 'refuse: no' },
  'two calls': {
    input: 'ask the weather and the clock',
    tools: ['weather', 'clock'].map((name) => ({ type: 'function', name, parameters, strict: false })),
  },
  'a call of a tool that takes text': {
    input: 'use a tool',
    tools: [{ type: 'custom', name: 'patch' }],
  },
  thinking: {
    input: 'hello',
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  },
  'an image': {
    input: says([
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: image, detail: 'auto' },
    ]),
  },
  JSON: {
    input: 'a number',
    text: { format: { type: 'json_schema', name: 'n', strict: true, schema } },
  },
  'an answer cut short': { input: 'count to 100', max_output_tokens: 16 },
};

const rows = (asked: Record<string, Json>) =>
  chatWires.flatMap((wire) =>
    Object.entries(asked).map(([what, fields]) => ({ wire, what, body: { model: `on-${wire}`, ...fields } })),
  );

/**
 * The vendor itself sends a usage of null, which its description does not know,
 * with a response that only begins.
 */
function withoutEmptyUsage(event: Json): Json {
  if (event.response?.usage !== null) return event;
  const { usage: _, ...response } = event.response;
  return { ...event, response };
}

/** The description has no pieces of a completion, which have no reason to finish yet. */
const finished = (piece: Json): Json => ({
  ...piece,
  choices: piece.choices.map((choice: Json) => ({
    ...choice,
    finish_reason: choice.finish_reason ?? 'stop',
  })),
});

describe('the API description matches', () => {
  test.each(rows(chats))('a completion: $what on $wire [CHT-04]', async ({ body }) => {
    const { body: answer } = await post('/v1/chat/completions', body);
    expect(contractProblems('CreateChatCompletionResponse', answer)).toEqual([]);
  });

  test.each(rows(chats))('each chunk: $what on $wire', async ({ body }) => {
    const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
    const chunks = dataOf((await post('/v1/chat/completions', streamed)).text);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks)
      expect(contractProblems('CreateChatCompletionStreamResponse', chunk)).toEqual([]);
  });

  test.each(rows(responses))('a response, fresh and stored: $what on $wire', async ({ body }) => {
    const { body: answer } = await post('/v1/responses', body);
    expect(contractProblems('Response', answer)).toEqual([]);
    const items = await server.call(`/v1/responses/${answer.id}/input_items`, { headers: bearer(key) });
    expect(items.status).toBe(200);
    expect(contractProblems('ResponseItemList', items.body)).toEqual([]);
  });

  test.each(rows(responses))('each event of a response: $what on $wire', async ({ body }) => {
    const events = dataOf((await post('/v1/responses', { ...body, stream: true })).text);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events) expect(eventProblems(withoutEmptyUsage(event))).toEqual([]);
  });

  const completing = [...chatWires, 'openai-completions'].map((wire) => `on-${wire}`);

  test.each(completing)('a legacy completion, whole and streamed: %s', async (model) => {
    const asked = { model, prompt: ['say: one', 'say: two'], max_tokens: 50 };
    const { body } = await post('/v1/completions', asked);
    expect(contractProblems('CreateCompletionResponse', body)).toEqual([]);
    const pieces = dataOf((await post('/v1/completions', { ...asked, stream: true })).text);
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces)
      expect(contractProblems('CreateCompletionResponse', finished(piece))).toEqual([]);
  });

  test.each(['float', 'base64'])('embeddings as %s', async (encoding_format) => {
    const { body } = await post('/v1/embeddings', { model: 'vectors', input: ['a', 'b'], encoding_format });
    if (encoding_format === 'float') expect(contractProblems('CreateEmbeddingResponse', body)).toEqual([]);
    else expect(body.data.map(({ embedding }: Json) => typeof embedding)).toEqual(['string', 'string']);
  });

  test('the list of models and a single model', async () => {
    const list = await server.call('/v1/models');
    expect(contractProblems('ListModelsResponse', list.body)).toEqual([]);
    const one = await server.call(`/v1/models/${encodeURIComponent(list.body.data[0].id)}`);
    expect(contractProblems('Model', one.body)).toEqual([]);
  });

  test('errors', async () => {
    const asked = { model: 'broken', messages: says('hello') };
    for (const body of [asked, { ...asked, model: 'nothing' }, { ...asked, messages: 7 }]) {
      const { status, body: answer } = await server.call('/v1/chat/completions', {
        headers: bearer(key),
        body,
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(contractProblems('ErrorResponse', answer)).toEqual([]);
    }
  });
});
