import { afterAll, beforeEach, expect, test } from 'bun:test';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { PNG } from '../support/speaker.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const capabilities = { tools: false, reasoning: false, vision: false, documents: false };
const model = (id: string, fields: Record<string, unknown> = {}) =>
  sampleModel(id, { tier: 'own', delivery: 'optimized', ...fields });
const broken = (id: string, fields: Record<string, unknown> = {}) => {
  upstream.answer(`hidden-${id}`, answerStatus(500));
  return model(id, fields);
};

const config = (responses = {}) => ({
  simulator: { mode: 'off' },
  responses,
  providers: [{ id: 'hidden-openai-chat', wire: 'openai-chat', base_url: upstream.url }],
  catalog: {
    default: false,
    models: [
      broken('ill', { comparable: ['first', 'second'] }),
      broken('exact', { delivery: 'exact', comparable: ['first'] }),
      broken('seeing', {
        capabilities: { ...capabilities, vision: true },
        comparable: ['blind', 'other-seeing'],
      }),
      broken('roomy', { context_window: 100_000, comparable: ['first', 'other-roomy'] }),
      broken('free-only', { comparable: ['for-pro'] }),
      broken('unlisted', { tier: 'rare' }),
      broken('hopeless', { comparable: ['ill'] }),
      model('unrouted', { routes: [], comparable: ['second'] }),
      model('unrouted-alone', { routes: [] }),
      ...['first', 'second', 'blind'].map((id) => model(id)),
      model('other-seeing', { capabilities: { ...capabilities, vision: true } }),
      model('other-roomy', { context_window: 100_000 }),
      model('for-pro', { plan: 'pro' }),
      model('of-rare-tier', { tier: 'rare' }),
    ],
    previews: { 'to-come': 'first', 'to-come-ill': 'ill' },
    handles: { 'gpt-stock': 'first' },
  },
});

const server = await startServer({ config: config() });
const quiet = await startServer({ config: config({ served_by_header: false }) });
afterAll(async () => {
  await Promise.all([server.stop(), quiet.stop()]);
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');
beforeEach(() => upstream.forget());

const SERVED_BY = 'x-svc-served-by';
async function served(name: string, fields?: Record<string, unknown>, by = key) {
  const { status, body, headers } = await server.chat(by, name, fields);
  return { status, code: body.error?.code, model: body.model, by: headers.get(SERVED_BY) };
}

test('a comparable model answers if the requested one cannot, in the order of the list [RES-13] [RES-16] [RES-21]', async () => {
  expect(await served('ill')).toMatchObject({ status: 200, model: 'ill', by: 'first' });
  expect(upstream.models()).toEqual(['hidden-ill', 'hidden-first']);
});

test('an answer of a substitute has the requested model name [RES-14]', async () => {
  const { text, headers } = await server.chat(key, 'ill', { stream: true });
  expect(headers.get('svc-model')).toBe('ill');
  expect(headers.get(SERVED_BY)).toBe('first');
  expect(text).toContain('"model":"ill"');
  expect(text).not.toContain('"model":"first"');
});

test('names no served model without a substitution, or if the operator disables it [RES-16]', async () => {
  expect((await served('first')).by).toBeNull();
  const { key: other } = await quiet.createKey('enterprise');
  const { status, headers } = await quiet.chat(other, 'ill');
  expect(status).toBe(200);
  expect(headers.get(SERVED_BY)).toBeNull();
});

test('a model with exact delivery has no substitute [RES-17]', async () => {
  expect(await served('exact')).toMatchObject({ status: 503, code: 'upstream_unavailable', by: null });
  expect(upstream.models()).toEqual(['hidden-exact']);
});

test('a substitute has the abilities that the request needs [RES-18]', async () => {
  const url = `data:image/png;base64,${PNG}`;
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
  expect((await served('seeing', { messages })).by).toBe('other-seeing');
  expect((await served('seeing')).by).toBe('blind');
});

test("a substitute's window has room for the prompt [RES-19]", async () => {
  const messages = [{ role: 'user', content: 'many words of many kinds '.repeat(3_000) }];
  expect((await served('roomy', { messages })).by).toBe('other-roomy');
});

test("a substitute is in the caller's plan and on the key's list [RES-20]", async () => {
  const free = await server.createKey('free');
  expect((await served('free-only', {}, free.key)).status).toBe(503);
  const pro = await server.createKey('pro');
  expect((await served('free-only', {}, pro.key)).by).toBe('for-pro');
  const bound = await server.createKey('pro', { allowed_models: ['free-only'] });
  expect((await served('free-only', {}, bound.key)).status).toBe(503);
});

test('without a list, a model of the same tier answers [RES-22]', async () => {
  expect((await served('unlisted')).by).toBe('of-rare-tier');
});

test('a substitute answers for a model without a provider; without one it is not available [RES-23]', async () => {
  expect(await served('unrouted')).toMatchObject({ status: 200, model: 'unrouted', by: 'second' });
  expect(await served('unrouted-alone')).toMatchObject({ status: 404, code: 'model_unavailable' });
});

test('reports the failure of the requested model if no substitute can answer', async () => {
  expect(await served('hopeless')).toMatchObject({ status: 503, code: 'upstream_unavailable', by: null });
});

test('an available model serves a preview id, under that id [RES-10] [RES-12]', async () => {
  expect(await served('to-come')).toMatchObject({ status: 200, model: 'to-come', by: 'first' });
  expect(await served('to-come-ill')).toMatchObject({ status: 200, model: 'to-come-ill', by: 'first' });
  expect(await served('gpt-stock')).toMatchObject({ status: 200, model: 'gpt-stock', by: null });
});
