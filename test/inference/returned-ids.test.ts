import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator();
const wires = ['anthropic-messages', 'openai-responses'] as const;
const server = await startServer({
  config: {
    providers: wires.map((wire) => ({ id: wire, wire, base_url: upstream.url + wirePrefix[wire] })),
    catalog: {
      default: false,
      models: wires.map((wire) => ableModel(`on-${wire}`, [{ provider: wire, model: wire }])),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { key } = await server.createKey('enterprise');
const { key: strangersKey } = await server.createKey('enterprise');
const sent = (): Json => upstream.requests().at(-1)!.body;

const dialects = {
  'anthropic-messages': {
    path: '/v1/messages',
    member: 'diagnostics',
    name: 'previous_message_id',
    first: { diagnostics: { previous_message_id: null } },
    fields: { max_tokens: 50, messages: [{ role: 'user', content: 'Hello.' }] },
  },
  'openai-responses': {
    path: '/v1/responses',
    member: 'prompt_cache_options',
    name: 'comparison_response_id',
    first: {},
    fields: { input: 'Hello.' },
  },
} as const;

/** Asks and returns the answer's id as the client sees it. */
async function ask(wire: keyof typeof dialects, members: object, apiKey = key): Promise<string> {
  const { path, fields } = dialects[wire];
  const body = { model: `on-${wire}`, ...fields, ...members };
  const answer = await server.call(path, { headers: bearer(apiKey), body });
  expect(answer.status).toBe(200);
  return /"id":"((?:msg|resp)_[^"]+)"/.exec(answer.text)![1]!;
}

describe.each(wires)('on %s', (wire) => {
  const { member, name, first } = dialects[wire];
  const comparing = (id: string, more: object = {}) => ({ [member]: { ...more, [name]: id } });
  const asked = () => (sent()[member] as Json)[name] as string | undefined;

  test.each([
    false,
    true,
  ])('the id of an earlier answer reaches the vendor as its own id (stream: %p)', async (stream) => {
    const id = await ask(wire, { ...first, stream });
    await ask(wire, comparing(id, { mode: 'explicit' }));
    expect(asked()).toMatch(/^(?:msg|resp)_/);
    expect(asked()).not.toBe(id);
    expect(sent()[member]).toMatchObject({ mode: 'explicit' });
    const vendorId = asked();
    await ask(wire, comparing(id));
    expect(asked()).toBe(vendorId!);
  });

  test("another account's answer is unknown", async () => {
    const id = await ask(wire, first);
    await ask(wire, comparing(id), strangersKey);
    expect(asked()).toBe(wire === 'anthropic-messages' ? id : undefined);
  });
});
