import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GoogleGenAI } from '@google/genai';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { eventsOf, expectGoogleError, framesOf } from '../support/interaction-events.ts';
import { startFailingSimulators } from '../support/start-failing-simulators.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires } from '../support/wire-models.ts';

const simulators = startFailingSimulators([
  ableModel('refusing', [{ provider: 'anthropic-messages', model: 'refusing' }]),
]);
const { upstream, config } = simulators;
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
afterAll(async () => {
  simulators.resume();
  await server.stop();
  await simulators.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const { key, account } = await server.createKey('enterprise', { retries: 'keyed' });
const sibling = await server.createKey('enterprise', { account });
const google = (secret: string) => ({ 'x-goog-api-key': secret });
const client = () =>
  new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url, retryOptions: { attempts: 1 } } })
    .interactions as Json;
const post = (body: Json, headers: Record<string, string> = google(key)) =>
  server.call('/v1beta/interactions', { headers, body });
const at = (path: string, { method = 'GET', secret = key } = {}) =>
  server.call(`/v1beta/interactions/${path}`, { headers: google(secret), method });
const model = 'on-openai-chat';
const ENDED = ['completed', 'incomplete', 'failed', 'cancelled'];

async function ended(id: string): Promise<Json> {
  let latest: Json;
  await waitFor(async () => {
    const shown = await at(id);
    latest = shown.body;
    expect(latest, shown.text).toBeDefined();
    return ENDED.includes(latest.status);
  });
  return latest;
}

const charges = async (): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  );
const idOf = (answer: Answer) => answer.headers.get('x-svc-request-id');

describe('an interaction', () => {
  test('has the form that the vendor publishes [ITR-01]', async () => {
    const { status, body } = await post({ model: `models/${model}`, input: 'say: hello' });
    expect(status).toBe(200);
    expect(body.object).toBe('interaction');
    expect(body.status).toBe('completed');
    expect(body.model).toEqual(model);
    expect(body.id).toMatch(/^interaction_\w{20,}$/);
    for (const time of [body.created, body.updated])
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(body.steps).toEqual([
      { type: 'model_output', content: [{ type: 'text', text: '[simulated] hello' }] },
    ]);
    expect(body.output_text).toBe('[simulated] hello');
    const { total_input_tokens: input, total_output_tokens: output } = body.usage;
    expect(body.usage).toEqual({
      total_input_tokens: input,
      total_cached_tokens: 0,
      total_output_tokens: output,
      total_tool_use_tokens: 0,
      total_thought_tokens: 0,
      total_tokens: input + output,
    });
  });

  test('takes a text, a content, and lists of contents or steps [ITR-02]', async () => {
    const text = { type: 'text', text: 'say: same' };
    for (const input of ['say: same', text, [text], [{ type: 'user_input', content: [text] }]]) {
      const { body } = await post({ model, input, store: false });
      expect(body.output_text).toBe('[simulated] same');
    }
  });

  test('says what ended it [ITR-03]', async () => {
    const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }];
    const called = await post({ model, input: 'call weather with {"place": "Rome"}', tools });
    expect(called.body.status).toBe('requires_action');
    const [call] = called.body.steps;
    expect(call).toMatchObject({ type: 'function_call', name: 'weather', arguments: { place: 'Rome' } });
    const result = { type: 'function_result', call_id: call.id, result: [{ type: 'text', text: 'rain' }] };
    const next = { model, tools, input: [result], previous_interaction_id: called.body.id };
    expect((await post(next)).body.output_text).toContain('rain');
    const long = { model, input: 'count to 500', generation_config: { max_output_tokens: 5 } };
    expect((await post(long)).body).toMatchObject({
      status: 'incomplete',
      usage: { total_output_tokens: 5 },
    });
    const refused = (await post({ model: 'refusing', input: 'refuse: no' })).body;
    expect(refused).toMatchObject({ status: 'incomplete', errors: [{ code: 'safety' }] });
  });

  test('is a stream of numbered events [ITR-04]', async () => {
    const { text } = await post({ model, input: 'say: one two', stream: true });
    const frames = framesOf(text);
    expect(frames.at(-1)).toEqual({ event: undefined, id: undefined, data: '[DONE]' });
    const events = eventsOf(text);
    expect(frames.slice(0, -1).map(({ event }) => event)).toEqual(events.map(({ event_type }) => event_type));
    expect(events.map(({ event_id }) => event_id)).toEqual(events.map((_, index) => `event_${index + 1}`));
    const types = events.map(({ event_type }) => event_type);
    const deltas = types.filter((type) => type === 'step.delta');
    expect(types).toEqual([
      'interaction.created',
      'interaction.status_update',
      'step.start',
      ...deltas,
      'step.stop',
      'interaction.completed',
    ]);
    const { id } = events[0].interaction;
    expect(events[1]).toMatchObject({ interaction_id: id, status: 'in_progress' });
    expect(events.at(-1).interaction).toMatchObject({
      id,
      status: 'completed',
      usage: { total_input_tokens: expect.any(Number) },
    });
    expect((await at(id)).body).toEqual(events.at(-1).interaction);
  });

  test('ends a broken stream with an error event [ITR-05]', async () => {
    const { text } = await post({ model: 'cut', input: 'count to 50', stream: true });
    const last = framesOf(text).at(-1)!;
    expect(last.event).toBe('error');
    expect(JSON.parse(last.data)).toEqual({
      event_type: 'error',
      event_id: `event_${framesOf(text).length}`,
      error: { code: 'upstream_unavailable', message: expect.any(String) },
    });
  });

  test.each(chatWires)('costs on %s what a chat completion costs [ITR-06]', async (wire) => {
    const asked = await post({ model: `on-${wire}`, input: 'say: the same words', store: false });
    const chat = await server.call('/v1/chat/completions', {
      headers: bearer(key),
      body: chatBody(`on-${wire}`, { messages: [{ role: 'user', content: 'say: the same words' }] }),
    });
    const entries = await charges();
    const entryOf = (answer: Answer) => entries.find(({ request_id }) => request_id === idOf(answer));
    const { microcredits, input_tokens, output_tokens } = entryOf(asked)!;
    expect(microcredits).toBeGreaterThan(0);
    expect(entryOf(chat)).toMatchObject({ microcredits, input_tokens, output_tokens });
  });
});

describe('a stored interaction', () => {
  test('is continued on every wire by its own key alone [ITR-07]', async () => {
    let previous: string | undefined;
    for (const wire of chatWires) {
      const more = previous === undefined ? {} : { previous_interaction_id: previous };
      const { status, body, text } = await post({ model: `on-${wire}`, input: `say: ${wire}`, ...more });
      expect(status, text).toBe(200);
      expect(body.previous_interaction_id).toBe(previous);
      previous = body.id;
    }
    const sent = JSON.stringify(upstream.requests().at(-1)!.body);
    for (const wire of chatWires) expect(sent).toContain(`say: ${wire}`);
    expect((await at(previous!)).status).toBe(200);
    for (const id of [previous!, 'interaction_unknown', 'resp_unknown'])
      expectGoogleError(await at(id, { secret: sibling.key }), [404, 'NOT_FOUND', 'previous_interaction_id']);
  });

  test('shows its input on request [ITR-08]', async () => {
    const { body } = await post({ model, input: 'say: hello' });
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'say: hello' }] }];
    const { body: shown } = await at(`${body.id}?include_input=true`);
    expect(shown).toEqual({ ...body, input, steps: [...input, ...body.steps] });
  });

  test('is not found once it is deleted or if store is false [ITR-07]', async () => {
    const { body } = await post({ model, input: 'say: hello' });
    const deleted = await at(body.id, { method: 'DELETE' });
    expect({ status: deleted.status, body: deleted.body }).toEqual({ status: 200, body: {} });
    const unstored = (await post({ model, input: 'say: hello', store: false })).body.id;
    for (const id of [body.id, unstored]) {
      expectGoogleError(await at(id), [404, 'NOT_FOUND']);
      expectGoogleError(await at(id, { method: 'DELETE' }), [404, 'NOT_FOUND']);
      const next = { model, input: 'hi', previous_interaction_id: id };
      expectGoogleError(await post(next), [404, 'NOT_FOUND', 'previous_interaction_id']);
    }
  });

  test('is not found as a response, nor a response as an interaction [ITR-09]', async () => {
    const { body } = await post({ model, input: 'say: hello' });
    const read = await server.call(`/v1/responses/${body.id}`, { headers: bearer(key) });
    expect(read.status).toBe(404);
    const respond = (fields: Json) =>
      server.call('/v1/responses', { headers: bearer(key), body: { model, input: 'hi', ...fields } });
    expect((await respond({ previous_response_id: body.id })).status).toBe(404);
    const response = (await respond({})).body.id;
    expectGoogleError(await at(response), [404, 'NOT_FOUND']);
    expectGoogleError(await post({ model, input: 'hi', previous_interaction_id: response }), [
      404,
      'NOT_FOUND',
    ]);
  });
});

describe('an interaction in the background', () => {
  test('is queued, made and charged once, and read again after any event [ITR-10] [ITR-11]', async () => {
    const queued = await post({ model, input: 'say: one two', background: true });
    expect(queued.status).toBe(200);
    expect(queued.body.status).toBe('queued');
    const made = await ended(queued.body.id);
    expect(made).toMatchObject({ status: 'completed', output_text: '[simulated] one two' });
    const events = eventsOf((await at(`${made.id}?stream=true`)).text);
    expect(events.map(({ event_id }) => event_id)).toEqual(events.map((_, index) => `event_${index + 1}`));
    for (const after of [1, 3, events.length]) {
      const { text } = await at(`${made.id}?stream=true&last_event_id=event_${after}`);
      expect(eventsOf(text)).toEqual(events.slice(after));
      expect(framesOf(text).at(-1)?.data).toBe('[DONE]');
    }
    const entries = (await charges()).filter(({ request_id }) => request_id === idOf(queued));
    expect(entries).toHaveLength(1);
    const next = await post({ model, input: 'and?', previous_interaction_id: made.id });
    expect(next.status, next.text).toBe(200);
    expectGoogleError(await at(`${made.id}?stream=true&last_event_id=7`), [
      400,
      'INVALID_REQUEST',
      'last_event_id',
    ]);
    expectGoogleError(await at(`${made.id}?last_event_id=event_1`), [
      400,
      'INVALID_REQUEST',
      'last_event_id',
    ]);
  });

  test('keeps what the model had written when it is canceled', async () => {
    const { id } = (await post({ model: 'slow', input: 'count to 20', background: true })).body;
    await waitFor(async () => (await at(id)).body.status === 'in_progress');
    const canceled = await at(`${id}/cancel`, { method: 'POST' });
    simulators.resume();
    expect(canceled.body).toMatchObject({ id, status: 'cancelled' });
    expect((await at(id)).body).toEqual(canceled.body);
    const ordinary = (await post({ model, input: 'say: hello' })).body.id;
    expectGoogleError(await at(`${ordinary}/cancel`, { method: 'POST' }), [400, 'INVALID_REQUEST']);
    expectGoogleError(await at('interaction_none/cancel', { method: 'POST' }), [404, 'NOT_FOUND']);
  });

  test('costs nothing if it fails, with the reason [ITR-12]', async () => {
    const queued = await post({ model: 'failing', input: 'hi', background: true });
    const made = await ended(queued.body.id);
    expect(made).toMatchObject({ status: 'failed', errors: [{ code: 'upstream_unavailable' }], steps: [] });
    expect((await charges()).filter(({ request_id }) => request_id === idOf(queued))).toEqual([]);
    expect(await at(made.id, { method: 'DELETE' })).toMatchObject({ status: 200, body: {} });
  });

  test('is made again after a crash, and its key is not in the store', async () => {
    const before = (await charges()).length;
    const { id } = (await post({ model: 'slow', input: 'say: after the crash', background: true })).body;
    await waitFor(async () => (await at(id)).body.status === 'in_progress');
    server.signal('SIGKILL');
    await server.exited;
    await server.stop();
    for (const file of readdirSync(dataDirectory, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(readFileSync(join(file.parentPath, file.name)).includes(key), file.name).toBe(false);
    server = await start();
    await server.admin('POST', '/test/clock', { advance_s: 31 });
    const sent = () =>
      upstream.requests().filter(({ body }) => JSON.stringify(body).includes('after the crash'));
    await waitFor(() => sent().length === 2);
    simulators.resume();
    expect((await at(`${id}/cancel`, { method: 'POST' })).body.status).toBeOneOf(ENDED);
    expect((await charges()).length - before).toBeLessThanOrEqual(1);
  });
});

test('the official client creates, reads, cancels and deletes', async () => {
  const made = await client().create({ model, input: 'say: hello' });
  expect(made.output_text).toBe('[simulated] hello');
  const shown = await client().get(made.id, { include_input: true });
  expect(shown.steps[0].type).toBe('user_input');
  const background = await client().create({ model, input: 'say: later', background: true });
  expect(background.status).toBe('queued');
  const types: string[] = [];
  for await (const event of await client().get(background.id, { stream: true })) types.push(event.event_type);
  expect(types[0]).toBe('interaction.created');
  expect(types.at(-1)).toBe('interaction.completed');
  expect((await client().cancel(background.id)).status).toBe('completed');
  await client().delete(made.id);
  await expect(client().get(made.id)).rejects.toMatchObject({ status: 404 });
});

describe('a request', () => {
  test.each([
    [{ agent: 'deep-research' }, 'agent'],
    [{ model, input: 'hi', agent: 'deep-research' }, 'agent'],
    [{ model, input: 'hi', environment: 'env_1' }, 'environment'],
    [{ model, input: 'hi', webhook_config: { url: 'https://a.example' } }, 'webhook_config'],
    [{ model, input: 'hi', cached_content: 'cachedContents/a' }, 'cached_content'],
  ])('that needs more than a model is refused: %j [ITR-15]', async (body, field) => {
    expectGoogleError(await post(body), [422, 'ROUTE_NOT_QUALIFIED', field]);
  });

  test.each([
    [{}, 'model'],
    [{ model }, 'input'],
    [{ model, input: [] }, 'input'],
    [{ model, input: 'hi', background: true, store: false }, 'store'],
    [{ model, input: [{ type: 'function_call', id: 'a' }] }, 'input[0].name'],
    [{ model, input: [{ type: 'image' }] }, 'input[0].content[0].data'],
    [{ model, input: 'hi', tools: [{ type: 'function', name: 'a b' }] }, 'tools[0].name'],
    [{ model, input: 'hi', generation_config: { tool_choice: 'any' } }, 'generation_config.tool_choice'],
    [{ model, input: 'hi', generation_config: { temperature: 3 } }, 'generation_config.temperature'],
    [{ model, input: 'hi', continuation_token: 'forged' }, 'continuation_token'],
  ])('that is invalid names the field: %j', async (body, field) => {
    expectGoogleError(await post(body), [400, 'INVALID_REQUEST', field]);
  });

  test('needs a key in the places that the vendor has', async () => {
    expectGoogleError(await post({ model, input: 'hi' }, {}), [401, 'MISSING_API_KEY']);
    expect(
      (await server.call(`/v1beta/interactions?key=${key}`, { body: { model, input: 'hi' } })).status,
    ).toBe(200);
    expectGoogleError(await post({ model: 'unknown', input: 'hi' }), [404, 'UNKNOWN_MODEL', 'model']);
  });

  test('that is repeated gets the first answer again', async () => {
    const headers = { ...google(key), 'idempotency-key': 'interaction-1' };
    const body = { model, input: 'say: once' };
    const first = await post(body, headers);
    const again = await post(body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect((await charges()).filter(({ request_id }) => request_id === idOf(again))).toEqual([]);
  });

  test('that is resumable is read again by both addresses [ITR-11]', async () => {
    const headers = { ...google(key), 'x-svc-resumable': 'true' };
    const first = await post({ model, input: 'say: one two', stream: true }, headers);
    const frames = framesOf(first.text);
    expect(frames.every(({ id }) => id !== undefined)).toBe(true);
    const again = await server.call(`/v1/streams/${idOf(first)}`, {
      headers: { ...google(key), 'last-event-id': frames[2]!.id! },
    });
    expect(framesOf(again.text)).toEqual(frames.slice(3));
    const { id } = eventsOf(first.text)[0].interaction;
    const gone = await at(`${id}?stream=true&last_event_id=event_3`);
    expect(framesOf(gone.text)).toEqual(frames.slice(3));
    const ordinary = eventsOf((await post({ model, input: 'say: hi', stream: true })).text)[0].interaction.id;
    expectGoogleError(await at(`${ordinary}?stream=true`), [400, 'INVALID_REQUEST', 'stream']);
  });
});
