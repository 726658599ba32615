import { afterAll, expect, test } from 'bun:test';
import { GoogleGenAI } from '@google/genai';
import type { Answer, Json } from '../support/call.ts';
import { eventsOf, expectGoogleError } from '../support/interaction-events.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

/** A vendor of the wire that answers each request with the next of these, and keeps what it got. */
const vendor = { answers: [] as (string | Json)[], requests: [] as Json[] };
const own = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    vendor.requests.push(await request.json());
    const answer = vendor.answers.shift();
    if (typeof answer !== 'string') return Response.json(answer);
    return new Response(answer, { headers: { 'content-type': 'text/event-stream' } });
  },
});
const routes = [{ provider: 'own', model: 'gemini-own' }];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      {
        id: 'own',
        wire: 'google-interactions',
        base_url: own.url.origin,
        allow_fields: ['environment'],
      },
    ],
    catalog: {
      default: false,
      models: ['own', 'sibling'].map((id) => ableModel(id, routes, { max_output: 1_000 })),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await own.stop(true);
});

const { key, account } = await server.createKey('enterprise');
const sibling = await server.createKey('enterprise', { account });
const google = (secret: string) => ({ 'x-goog-api-key': secret });
const post = (body: Json, headers = google(key)) => server.call('/v1beta/interactions', { headers, body });
const at = (id: string) => server.call(`/v1beta/interactions/${id}`, { headers: google(key) });
const idOf = (answer: Answer) => answer.headers.get('x-svc-request-id');

const usage = { total_input_tokens: 20, total_output_tokens: 5, total_thought_tokens: 3, total_tokens: 28 };
const output = (text: string) => ({ type: 'model_output', content: [{ type: 'text', text }] });
const whole = (text: string, fields: Json = {}) => ({
  id: 'v1_vendor',
  object: 'interaction',
  model: 'gemini-own',
  status: 'completed',
  created: '2026-11-01T10:00:00Z',
  updated: '2026-11-01T10:00:00Z',
  steps: [{ type: 'thought', signature: 'c2ln' }, output(text)],
  usage,
  ...fields,
});
const streamOf = (events: Json[]) =>
  [...events.map((event) => JSON.stringify(event)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

test('a request and its answer pass with the names of the gateway [ITR-13]', async () => {
  vendor.answers.push(whole('hello', { secret_of_vendor: 7 }));
  const config = { max_output_tokens: 5_000, thinking_level: 'xhigh', future_option: true };
  const asked = { model: 'own', input: 'hi', generation_config: config, environment: 'env_1' };
  const { body, headers } = await post(asked);
  expect(vendor.requests.at(-1)).toEqual({
    model: 'gemini-own',
    input: 'hi',
    store: false,
    environment: 'env_1',
    generation_config: { future_option: true, max_output_tokens: 1_000, thinking_level: 'high' },
  });
  expect(headers.get('x-svc-translation-losses')).toBe('effort-lowered');
  expect(body).toEqual({
    ...whole('hello', { secret_of_vendor: 7 }),
    id: expect.stringMatching(/^interaction_/),
    model: 'own',
    output_text: 'hello',
  });
  expect((await at(body.id)).body).toEqual(body);
  const next = { model: 'own', input: 'and?', previous_interaction_id: body.id };
  vendor.answers.push(whole('more'));
  expect((await post(next)).body.previous_interaction_id).toBe(body.id);
  expect(vendor.requests.at(-1)!['input']).toEqual([
    { type: 'user_input', content: [{ type: 'text', text: 'hi' }] },
    ...body.steps,
    { type: 'user_input', content: [{ type: 'text', text: 'and?' }] },
  ]);
});

test('a long answer goes on by its token, and each part is charged [ITR-14]', async () => {
  const interaction = { id: 'v1_a', object: 'interaction', model: 'gemini-own', status: 'in_progress' };
  const status = 'requires_continuation';
  const { steps: _, ...end } = whole('', { id: 'v1_a', status, continuation_token: 'VENDOR1' });
  const update = { interaction_id: 'v1_a', status, continuation_token: 'VENDOR1', usage };
  vendor.answers.push(
    streamOf([
      { event_type: 'interaction.created', event_id: 'x', interaction },
      { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
      { event_type: 'step.delta', index: 0, delta: { type: 'text', text: 'one ' } },
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.status_update', event_id: 'y', ...update },
      { event_type: 'interaction.completed', interaction: end },
    ]),
    whole('two ', { status, continuation_token: 'VENDOR2' }),
    whole('three'),
  );
  const first = await post({ model: 'own', input: 'count', stream: true });
  expect(first.text).not.toMatch(/VENDOR1|v1_a|gemini-own/);
  const events = eventsOf(first.text);
  expect(events.map(({ event_id }) => event_id)).toEqual(events.map((_, index) => `event_${index + 1}`));
  const { id, continuation_token: sealed } = events.at(-1)!['interaction'];
  expect(events.at(-2)).toMatchObject({
    interaction_id: id,
    status,
    usage,
    continuation_token: expect.any(String),
  });
  const goOn = (fields: Json, secret = key) =>
    post(
      { model: 'own', previous_interaction_id: id, continuation_token: sealed, ...fields },
      google(secret),
    );
  expectGoogleError(await goOn({ model: 'sibling' }), [400, 'INVALID_REQUEST', 'continuation_token']);
  const alone = { previous_interaction_id: null, input: 'count' };
  expectGoogleError(await goOn(alone, sibling.key), [400, 'INVALID_REQUEST', 'continuation_token']);
  const second = await goOn({});
  const asked = [{ type: 'user_input', content: [{ type: 'text', text: 'count' }] }];
  expect(vendor.requests.at(-1)).toMatchObject({
    input: asked,
    continuation_token: 'VENDOR1',
    store: false,
  });
  const { id: previous_interaction_id, continuation_token } = second.body;
  const third = await goOn({ previous_interaction_id, continuation_token });
  expect(vendor.requests.at(-1)).toMatchObject({ input: asked, continuation_token: 'VENDOR2' });
  vendor.answers.push(whole('four'));
  await goOn({ previous_interaction_id: third.body.id, continuation_token: undefined, input: 'next' });
  const texts = vendor.requests.at(-1)!['input'].flatMap(({ content = [] }: Json) => content);
  expect(texts.map(({ text }: Json) => text)).toEqual(['count', 'one ', 'two ', 'three', 'next']);
  const { data: entries } = (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body;
  for (const answer of [first, second, third])
    expect(entries.find(({ request_id }: Json) => request_id === idOf(answer))).toMatchObject({
      input_tokens: 20,
      output_tokens: 8,
    });
});

test('the official client goes on by itself [ITR-14]', async () => {
  vendor.answers.push(
    whole('one ', { status: 'requires_continuation', continuation_token: 'VENDOR1' }),
    whole('two'),
  );
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url } }).interactions as Json;
  const made = await client.create({ model: 'own', input: 'count' });
  expect(made.steps.filter(({ type }: Json) => type === 'model_output')).toEqual([
    output('one '),
    output('two'),
  ]);
  expect(vendor.requests.at(-1)).toMatchObject({ continuation_token: 'VENDOR1' });
});

test('usage that the vendor leaves out is estimated, and a failure is an error', async () => {
  vendor.answers.push(whole('no usage here', { usage: undefined }));
  const { body } = await post({ model: 'own', input: 'hi' });
  expect(body.usage.total_output_tokens).toBeGreaterThan(0);
  const errors = [{ code: 'internal_error', message: 'secret of the vendor' }];
  vendor.answers.push(whole('', { status: 'failed', errors }));
  vendor.answers.push(whole('', { status: 'failed', errors }));
  expectGoogleError(await post({ model: 'own', input: 'hi' }), [503, 'UPSTREAM_UNAVAILABLE']);
});
