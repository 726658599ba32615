import { afterAll, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const provider = (id: string, wire: string, fields: object = {}) => ({
  id: `hidden-${id}`,
  wire,
  base_url: upstream.url,
  api_key: 'upstream-key',
  ...fields,
});
const server = await startServer({
  config: {
    providers: [
      provider('chat', 'openai-chat'),
      provider('messages', 'anthropic-messages'),
      provider('responses', 'openai-responses'),
      provider('named', 'anthropic-messages', { forward_headers: ['x-session'] }),
      provider('fixed', 'anthropic-messages', { headers: { 'anthropic-version': 'fixed' } }),
    ],
    catalog: {
      default: false,
      models: ['chat', 'messages', 'responses', 'named', 'fixed'].map((id) =>
        ableModel(id, [{ provider: `hidden-${id}`, model: `hidden-${id}` }]),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

const VENDORS = {
  'anthropic-version': '2026-10-21',
  'anthropic-beta': 'context-management-2025-06-27,unknown-2031-01-01',
  'openai-beta': 'assistants=v2',
  'openai-organization': 'org-of-the-client',
  'openai-project': 'proj-of-the-client',
  'x-session': 'mine',
  'x-stainless-lang': 'js',
  cookie: 'a=b',
};

/** Returns the client's headers that the upstream received. The upstream's answer is irrelevant. */
async function sentTo(model: string, path: string, body: object, headers: Record<string, string> = VENDORS) {
  upstream.forget();
  await server.call(`${path}?beta=true&more=1`, { headers: { ...bearer(key), ...headers }, body });
  const sent = upstream.requests[0]!;
  expect(sent.body.model).toBe(`hidden-${model}`);
  expect(JSON.stringify([...sent.headers])).not.toContain(key);
  return Object.fromEntries(
    Object.keys(VENDORS).flatMap((name) => (sent.headers.has(name) ? [[name, sent.headers.get(name)]] : [])),
  );
}

const messages = (model: string, headers?: Record<string, string>) =>
  sentTo(model, '/v1/messages', messagesBody(model), headers);
const chat = (model: string) => sentTo(model, '/v1/chat/completions', chatBody(model));

test("passes the client's vendor headers to a provider of its protocol, and no other headers [MSG-47]", async () => {
  const { 'anthropic-version': version, 'anthropic-beta': beta } = VENDORS;
  expect(await messages('messages')).toEqual({ 'anthropic-version': version, 'anthropic-beta': beta });
  expect(await chat('chat')).toEqual({ 'openai-beta': VENDORS['openai-beta'] });
});

test("sends the gateway's own version if the client names none", async () => {
  expect(await messages('messages', {})).toEqual({ 'anthropic-version': '2023-06-01' });
});

test('passes no vendor headers to a provider of another protocol', async () => {
  for (const model of ['chat', 'responses']) expect(await messages(model)).toEqual({});
  expect(await chat('responses')).toEqual({});
  expect(await chat('messages')).toEqual({ 'anthropic-version': '2023-06-01' });
});

test('the headers set for a provider replace those that the operator lets through', async () => {
  expect(await messages('named')).toEqual({ 'x-session': 'mine', 'anthropic-version': '2023-06-01' });
  expect(await messages('fixed')).toMatchObject({ 'anthropic-version': 'fixed' });
});
