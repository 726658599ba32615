import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wireProviders } from '../support/wire-models.ts';

const upstream = serveSimulator();
const server = await startServer({
  config: {
    providers: wireProviders(upstream.url),
    catalog: {
      default: false,
      models: chatWires.map((wire) =>
        ableModel(`on-${wire}`, [{ provider: wire, model: wire }], { allow_unpriced: ['web_search'] }),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const ask = (wire: string, fields: Json) =>
  server.call('/v1/responses', { headers: bearer(key), body: { model: `on-${wire}`, ...fields } });

/** Returns the output of a whole answer, or of the last event of a stream. */
async function output(wire: string, fields: Json): Promise<Json[]> {
  const { status, text } = await ask(wire, fields);
  expect(status, text).toBe(200);
  if (!fields.stream) return JSON.parse(text).output;
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
  const { response } = events.find(({ type }) => type === 'response.completed');
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
  expect(response.output).toEqual(done);
  return response.output;
}

const sent = () => JSON.stringify(upstream.requests().at(-1)!.body);
const foreign = chatWires.filter((wire) => wire !== 'openai-responses');
const order = { role: 'user', content: 'call shell with {"commands":["ls -l"]}' };
const trigger = [{ role: 'user', content: 'Remember the word plum.' }, { type: 'compaction_trigger' }];

describe.each(foreign)("an agent's items on %s", (wire) => {
  test.each([false, true])('run a shell at the client (stream: %p) [RSP-37]', async (stream) => {
    const fields = { tools: [{ type: 'shell', environment: { type: 'local' } }], stream };
    const items = await output(wire, { ...fields, input: [order] });
    const call = items.find(({ type }) => type === 'shell_call')!;
    expect(call).toMatchObject({ status: 'completed', action: { commands: ['ls -l'] } });
    expect(call.id).toStartWith('sh_');
    const result = {
      type: 'shell_call_output',
      call_id: call.call_id,
      output: [{ stdout: 'a.txt', stderr: '' }],
    };
    const { status, text } = await ask(wire, { ...fields, input: [order, ...items, result] });
    expect(status, text).toBe(200);
    expect(sent()).toContain('a.txt');
  });

  test.each([false, true])('compact a conversation into one item (stream: %p) [RSP-39]', async (stream) => {
    const items = await output(wire, { input: trigger, stream });
    expect(items).toMatchObject([{ type: 'compaction' }]);
    for (const other of [wire, 'openai-responses']) {
      await output(other, { input: [...items, { role: 'user', content: 'Go on.' }] });
      expect(sent()).toContain('This summary replaces the earlier part of the conversation');
      expect(sent()).toContain('Remember the word plum.');
    }
  });

  test('name a hosted tool that is removed, and refuse one that is forced [RSP-38]', async () => {
    const tools = [{ type: 'function', name: 'find', parameters: {} }, { type: 'web_search' }];
    const { status, headers } = await ask(wire, { tools, input: 'Hello.' });
    expect(status).toBe(200);
    expect(headers.get('x-svc-translation-losses')).toContain('web-search');
    const forced = await ask(wire, { tools, input: 'Hello.', tool_choice: { type: 'web_search' } });
    expect(expectRefusal(forced, 422, 'route_not_qualified', 'tool_choice').message).toContain('web_search');
    const only = await ask(wire, { tools: tools.slice(1), input: 'Hello.' });
    expect(expectRefusal(only, 422, 'route_not_qualified', 'tools').message).toContain('web_search');
  });
});
