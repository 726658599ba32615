import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

// Tools that a conversation brings, against the simulator on every wire.

const upstream = serveSimulator();
const server = await startServer({
  config: {
    providers: wireProviders(upstream.url),
    catalog: {
      default: false,
      models: chatWires.map((wire) => ableModel(`on-${wire}`, [{ provider: wire, model: wire }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

async function ask(path: string, body: Json): Promise<Json> {
  const { status, text } = await server.call(path, { headers: bearer(key), body });
  expect(status, text).toBe(200);
  return JSON.parse(text);
}

const parameters = { type: 'object', properties: { name: { type: 'string' } } };

describe.each(chatWires)('on %s', (wire) => {
  const find = { type: 'function', name: 'find_customer', parameters };
  const crm = { type: 'namespace', name: 'crm', description: 'Customers', tools: [find] };
  const input = [{ role: 'user', content: 'use a tool' }];

  test.each<[string, Json]>([
    ['of the request', { input, tools: [crm] }],
    ['of an item', { input: [{ type: 'additional_tools', role: 'developer', tools: [crm] }, ...input] }],
  ])('a tool in a namespace %s is called', async (_where, fields) => {
    const { output } = await ask('/v1/responses', { model: `on-${wire}`, ...fields });
    expect(output).toMatchObject([{ type: 'function_call', namespace: 'crm', name: 'find_customer' }]);
  });

  test('a system message adds and removes tools [MSG-46]', async () => {
    const tool = (name: string) => ({ name, input_schema: parameters });
    const content = [
      { type: 'tool_removal', tool: { type: 'tool_reference', name: 'first' } },
      { type: 'tool_addition', tool: { type: 'tool_definition', definition: tool('second') } },
    ];
    const messages = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'system', content },
      { role: 'user', content: 'use a tool' },
    ];
    const answer = await ask('/v1/messages', {
      model: `on-${wire}`,
      max_tokens: 100,
      messages,
      tools: [tool('first')],
    });
    expect(answer.content).toMatchObject([{ type: 'tool_use', name: 'second' }]);
  });
  test('a choice can name a tool that a system message adds', async () => {
    const definition = { name: 'second', input_schema: parameters };
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
    const choose = (name: string) =>
      server.call('/v1/messages', {
        headers: bearer(key),
        body: {
          model: `on-${wire}`,
          max_tokens: 100,
          tool_choice: { type: 'tool', name },
          messages: [
            { role: 'user', content: 'Hello.' },
            { role: 'system', content: [added] },
          ],
        },
      });
    const { status, body } = await choose('second');
    expect({ status, content: body.content }).toMatchObject({
      status: 200,
      content: [{ type: 'tool_use', name: 'second' }],
    });
    const unknown = await choose('third');
    expect(unknown.status).toBe(400);
    expect(unknown.text).toEqual(expect.stringContaining('tool_choice.name'));
  });
});

test('a hosted tool without a price is removed from a system message', async () => {
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition: search } };
  const { status, headers } = await server.call('/v1/messages', {
    headers: bearer(key),
    body: {
      model: 'on-anthropic-messages',
      max_tokens: 100,
      tools: [{ name: 'first', input_schema: parameters }],
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'system', content: [added, { type: 'text', text: 'Be brief.' }] },
      ],
    },
  });
  expect({ status, translationLosses: headers.get('x-svc-translation-losses') }).toEqual({
    status: 200,
    translationLosses: expect.stringContaining('web-search'),
  });
  expect(JSON.stringify(upstream.requests().at(-1)!.body)).not.toContain('web_search');
});
