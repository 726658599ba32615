import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startFailingSimulators } from '../support/start-failing-simulators.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { chatWires } from '../support/wire-models.ts';

const simulators = startFailingSimulators();
const { upstream, config } = simulators;
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
/** A process that others may outlive takes up what a crash has left after 30 s. */
async function startAgain() {
  server = await start();
  await server.admin('POST', '/test/clock', { advance_s: 31 });
}
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
afterAll(async () => {
  simulators.resume();
  await server.stop();
  await simulators.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const { key, account } = await server.createKey('enterprise');
const sibling = await server.createKey('enterprise', { account });
const client = () => new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const post = (body: Json, secret = key) => server.call('/v1/responses', { headers: bearer(secret), body });
const at = (path: string, { method = 'GET', secret = key } = {}) =>
  server.call(`/v1/responses/${path}`, { headers: bearer(secret), method });
const begin = (body: Json): Promise<Json> => client().responses.create({ background: true, ...body });
const ENDED = ['completed', 'incomplete', 'failed', 'cancelled'];

async function ended(id: string): Promise<Json> {
  let latest: Json;
  await waitFor(async () => {
    latest = (await at(id)).body;
    return ENDED.includes(latest.status);
  });
  return latest;
}

const numbersOf = (text: string): number[] =>
  [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
const ledger = async (): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  );
const sentTo = (model: string) =>
  upstream.requests().filter(({ body }) => JSON.stringify(body).includes(model));

describe.each(chatWires)('on %s', (wire) => {
  test('a response is queued at once, made, and charged like any other [BGR-01] [BGR-02]', async () => {
    const body = { model: `on-${wire}`, input: 'say: hello', reasoning: { effort: 'low' } };
    const queued = await post({ ...body, background: true });
    expect(queued.status, queued.text).toBe(200);
    expect(queued.body).toMatchObject({ status: 'queued', background: true, output: [], store: true });
    const made = await ended(queued.body.id);
    expect(made).toMatchObject({ id: queued.body.id, status: 'completed', background: true });
    expect((await at(made.id)).body).toEqual(made);
    const ordinary = await post(body);
    expect(made.usage).toEqual(ordinary.body.usage);
    const shape = (response: Json) => response.output.map(({ type }: Json) => type);
    expect(shape(made)).toEqual(shape(ordinary.body));
    const entries = await ledger();
    const charge = (answer: Json) =>
      entries.find(({ request_id }) => request_id === answer.headers.get('x-svc-request-id'))?.microcredits;
    expect(charge(queued)).toBeGreaterThan(0);
    expect(charge(queued)).toBe(charge(ordinary));
    const id = queued.headers.get('x-svc-request-id');
    await waitFor(async () => (await server.admin('GET', `/requests/${id}`)).body?.output_tokens > 0);
    const next = await post({ ...body, previous_response_id: made.id });
    expect(next.status, next.text).toBe(200);
  });
});

test('the stream of a response is read again after any event [BGR-03]', async () => {
  const stream = await client().responses.create({
    model: 'on-openai-chat',
    input: 'say: one two three',
    background: true,
    stream: true,
  });
  const events: Json[] = [];
  for await (const event of stream) events.push(event);
  const { id } = events[0].response;
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed' });
  expect((await at(id)).body).toEqual(events.at(-1).response);
  const whole = await at(`${id}?stream=true`);
  expect(whole.headers.get('content-type')).toStartWith('text/event-stream');
  expect(numbersOf(whole.text)).toEqual([...events.keys()]);
  for (const after of [0, 3, events.length - 1]) {
    const { text } = await at(`${id}?stream=true&starting_after=${after}`);
    expect(numbersOf(text)).toEqual([...events.keys()].slice(after + 1));
    expect(whole.text.endsWith(text)).toBe(true);
  }
  const again = await client().responses.retrieve(id, { stream: true, starting_after: 2 });
  const rest: Json[] = [];
  for await (const event of again) rest.push(event);
  expect(rest).toEqual(events.slice(3));
  expectRefusal(await at(`${id}?starting_after=1`), 400, 'invalid_request', 'starting_after');
  expectRefusal(await at(`${id}?stream=true&starting_after=x`), 400, 'invalid_request', 'starting_after');
  const stored = (await post({ model: 'on-openai-chat', input: 'say: hi' })).body;
  expectRefusal(await at(`${stored.id}?stream=true`), 400, 'invalid_request', 'stream');
  await server.admin('POST', '/test/clock', { advance_s: 301 });
  expectRefusal(await at(`${id}?stream=true`), 400, 'invalid_request', 'stream');
  expect((await at(id)).body).toEqual(events.at(-1).response);
});

test('a running response that is canceled is charged for what was written [BGR-04]', async () => {
  const { id } = await begin({ model: 'slow', input: 'say: many words that take long' });
  await waitFor(async () => (await at(id)).body.status === 'in_progress');
  expectRefusal(await at(id, { secret: sibling.key }), 404, 'not_found', 'previous_response_id');
  expectRefusal(
    await at(`${id}/cancel`, { method: 'POST', secret: sibling.key }),
    404,
    'not_found',
    'previous_response_id',
  );
  const before = (await ledger()).length;
  const canceled = await client().responses.cancel(id);
  expect(canceled).toMatchObject({ id, status: 'cancelled' });
  expect((await at(id)).body).toEqual(canceled);
  expect(await client().responses.cancel(id)).toEqual(canceled);
  await waitFor(async () => (await ledger()).length === before + 1);
  const stored = (await post({ model: 'on-openai-chat', input: 'say: hi' })).body;
  expectRefusal(await at(`${stored.id}/cancel`, { method: 'POST' }), 400, 'invalid_request');
  expectRefusal(await at('resp_none/cancel', { method: 'POST' }), 404, 'not_found', 'previous_response_id');
});

test('a response is deleted, while it is made too [BGR-04]', async () => {
  const { id } = await begin({ model: 'slow', input: 'say: many words that take long' });
  await waitFor(async () => (await at(id)).body.status === 'in_progress');
  expect((await at(id, { method: 'DELETE' })).body).toEqual({ id, object: 'response', deleted: true });
  expectRefusal(await at(id), 404, 'not_found', 'previous_response_id');
});

test('a request that would be refused is refused at once [BGR-05]', async () => {
  const body = { model: 'on-openai-chat', input: 'Hello.', background: true };
  expectRefusal(await post({ ...body, store: false }), 400, 'invalid_request', 'store');
  expectRefusal(await post({ ...body, model: 'nothing' }), 404, 'unknown_model', 'model');
  expectRefusal(
    await post({ ...body, previous_response_id: 'resp_none' }),
    404,
    'not_found',
    'previous_response_id',
  );
  const { account: small, key: own } = await server.createKey('free');
  await server.admin('PATCH', `/accounts/${small}`, { plan_overrides: { stored_mb: 0.002 } });
  for (const input of ['x'.repeat(4_000), '\u6a19'.repeat(700)]) {
    const refused = await post({ ...body, input }, own);
    expect(expectRefusal(refused, 429, 'rate_limit_exceeded').message).toContain('quota of stored bytes');
  }
});

test('a failed response ends as failed and costs nothing [BGR-06]', async () => {
  const before = (await ledger()).length;
  for (const model of ['failing', 'cut']) {
    const { id } = await begin({ model, input: 'say: one two three four five six seven eight' });
    const failed = await ended(id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: expect.any(String) } });
    expect((await at(id)).body).toEqual(failed);
  }
  const large = await begin({
    model: 'on-openai-chat',
    input: 'say: hi',
    metadata: { long: 'x'.repeat(540_000) },
  });
  expect(await ended(large.id)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('512 KB') },
  });
  expect((await ledger()).length).toBe(before);
});

test('the stream of a response that fails before its first event ends with the failure [BGR-06]', async () => {
  const { status, text } = await post({
    model: 'failing',
    input: 'say: one',
    background: true,
    stream: true,
  });
  expect(status).toBe(200);
  const last = JSON.parse([...text.matchAll(/^data: (.*)$/gm)].at(-1)![1]!);
  expect(last).toMatchObject({ type: 'response.failed', response: { status: 'failed' } });
  const { id, error } = last.response;
  expect((await at(id)).body).toMatchObject({ id, status: 'failed', error });
  expect((await at(`${id}?stream=true`)).text).toBe(text);
});

test('a response outlives a restart and a crash, and is charged once [BGR-07]', async () => {
  const before = (await ledger()).length;
  const first = await begin({ model: 'slow', input: 'say: words of the first' });
  await waitFor(async () => (await at(first.id)).body.status === 'in_progress');
  await server.stop();
  await startAgain();
  await waitFor(() => sentTo('words of the first').length === 2);
  expect((await at(first.id)).body.status).toBeOneOf(['queued', 'in_progress']);
  server.signal('SIGKILL');
  await server.exited;
  await server.stop();
  await startAgain();
  await waitFor(() => sentTo('words of the first').length === 3);
  simulators.resume();
  await at(`${first.id}/cancel`, { method: 'POST' });
  expect((await at(first.id)).body.status).toBeOneOf(['cancelled', 'completed', 'failed']);
  expect((await ledger()).length - before).toBeLessThanOrEqual(1);
});

test('a response whose process dies twice ends as failed and costs nothing [BGR-07]', async () => {
  const before = (await ledger()).length;
  const { id } = await begin({ model: 'slow', input: 'say: words of the last' });
  await waitFor(async () => (await at(id)).body.status === 'in_progress');
  for (const times of [2, 3]) {
    server.signal('SIGKILL');
    await server.exited;
    await server.stop();
    await startAgain();
    if (times === 2) {
      await waitFor(() => sentTo('words of the last').length === 2);
      await waitFor(async () => (await at(id)).body.status === 'in_progress');
    }
  }
  expect(await ended(id)).toMatchObject({ status: 'failed' });
  expect(sentTo('words of the last')).toHaveLength(2);
  expect((await ledger()).length).toBe(before);
});
