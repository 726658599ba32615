import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const CANARY = 'canary-4711-of-a-customer';
const MASTER = Buffer.alloc(32, 7).toString('base64');
const NEXT = Buffer.alloc(32, 8).toString('base64');
const upstream = serveSimulator({});
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-sealed-'));
afterAll(async () => {
  await upstream.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const configOf = (isSealed: boolean) => ({
  store: { encrypt_content: isSealed },
  providers: [{ id: 'one', wire: 'openai-responses', base_url: `${upstream.url}/v1` }],
  catalog: { default: false, models: [ableModel('model', [{ provider: 'one', model: 'model' }])] },
});
const start = ({ isSealed, keys = MASTER }: { isSealed: boolean; keys?: string }) =>
  startServer({ config: configOf(isSealed), dataDirectory, environment: { TOLLGATE_SECRET_KEY: keys } });

/** Returns everything that the store has, as text. */
async function stored(): Promise<string> {
  if (!isOnPostgres)
    return readdirSync(dataDirectory)
      .filter((name) => name.startsWith('tollgate.db'))
      .map((name) => readFileSync(join(dataDirectory, name), 'latin1'))
      .join('\n');
  const tables = await storeRows<{ name: string }>(
    dataDirectory,
    "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
  );
  const texts = [];
  for (const { name } of tables)
    texts.push(JSON.stringify(await storeRows(dataDirectory, `SELECT ${name}::text AS row FROM ${name}`)));
  return texts.join('\n');
}

type Kept = { response: string; text: string; continued: string; conversation: string; background: string };

/** Makes content of each kind. */
async function fill(server: TestServer, key: string) {
  const headers = bearer(key);
  const ask = async (fields: object, more: Record<string, string> = {}) =>
    server.call('/v1/responses', { headers: { ...headers, ...more }, body: { model: 'model', ...fields } });
  const said = `say: ${CANARY} in an answer`;
  const first = await ask({ input: said });
  const continued = await ask({ input: `say: ${CANARY} again`, previous_response_id: first.body.id });
  const made = await server.call('/v1/conversations', {
    headers,
    body: {
      metadata: { topic: CANARY },
      items: [{ type: 'message', role: 'user', content: CANARY }],
    },
  });
  await ask({ input: said, conversation: made.body.id });
  const queued = await ask({ input: said, background: true });
  const read = async () => (await server.call(`/v1/responses/${queued.body.id}`, { headers })).body;
  await waitFor(async () => (await read()).status === 'completed');
  const streamed = await ask({ input: said, stream: true }, { 'x-svc-resumable': 'true' });
  const requestId = first.headers.get('x-svc-request-id')!;
  return {
    kept: {
      response: first.body.id,
      text: first.text,
      continued: continued.body.id,
      conversation: made.body.id,
      background: queued.body.id,
    } satisfies Kept,
    requestId,
    streamed,
  };
}

/** Reads everything again in each way that there is. */
async function expectReadable(server: TestServer, key: string, kept: Kept): Promise<void> {
  const headers = bearer(key);
  const read = (path: string) => server.call(path, { headers });
  expect((await read(`/v1/responses/${kept.response}`)).text).toBe(kept.text);
  const items = await read(`/v1/responses/${kept.continued}/input_items?limit=100`);
  expect(items.body.data.map(({ role }: Json) => role)).toEqual(['user', 'assistant', 'user']);
  expect(items.text.split(CANARY)).toHaveLength(4);
  const conversation = await read(`/v1/conversations/${kept.conversation}`);
  expect(conversation.body.metadata.topic).toBe(CANARY);
  expect((await read(`/v1/conversations/${kept.conversation}/items`)).text.split(CANARY)).toHaveLength(4);
  const background = await read(`/v1/responses/${kept.background}`);
  expect(background.text).toContain(CANARY);
  const frames = await read(`/v1/responses/${kept.background}?stream=true&starting_after=0`);
  expect(frames.text).toContain('response.completed');
  const next = await server.call('/v1/responses', {
    headers,
    body: { model: 'model', input: 'say: more', previous_response_id: kept.continued },
  });
  expect(next.status).toBe(200);
}

test('content is encrypted at rest, readable by each reader, and stays so when the master key is rotated', async () => {
  let server = await start({ isSealed: true });
  const { account, key } = await server.createKey('pro');
  await server.admin('PATCH', `/accounts/${account}/payload_logging`, { enabled: true });
  const { kept, requestId, streamed } = await fill(server, key);
  const content = () => server.admin('GET', `/requests/${requestId}/content`);
  await waitFor(async () => (await content()).status === 200);
  expect((await content()).body.request).toContain(CANARY);
  const resumed = await server.call(`/v1/streams/${streamed.headers.get('x-svc-request-id')}`, {
    headers: bearer(key),
  });
  expect(resumed.text).toBe(streamed.text.replaceAll(/^: .*\n\n/gm, ''));
  expect(resumed.text).toContain(CANARY);
  await expectReadable(server, key, kept);
  expect(await stored()).not.toContain(CANARY);
  await server.stop();
  expect(await stored()).not.toContain(CANARY);

  server = await start({ isSealed: true, keys: `${NEXT},${MASTER}` });
  const rotated = await server.admin('POST', '/secrets/rotate', {});
  expect(rotated.body).toMatchObject({ rotated: 1, unreadable: [] });
  await server.stop();

  // New content is plain, and the rest can still be read.
  server = await start({ isSealed: false, keys: NEXT });
  await expectReadable(server, key, kept);
  await server.call('/v1/responses', { headers: bearer(key), body: { model: 'model', input: CANARY } });
  expect(await stored()).toContain(CANARY);
  await server.stop();

  // Without the key the content is lost, and nothing shows it.
  server = await start({ isSealed: false, keys: Buffer.alloc(32, 9).toString('base64') });
  const lost = await server.call(`/v1/responses/${kept.response}`, { headers: bearer(key) });
  expect(lost).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
  expect(lost.text).not.toContain('sealed1');
  await server.stop();
});

test('the server does not start with encryption and without the key', async () => {
  const wrong = start({ isSealed: true, keys: Buffer.alloc(32, 9).toString('base64') });
  await expect(wrong).rejects.toThrow('the key of stored content cannot be decrypted');
  await wrong.catch(() => {});
});

test('content in the place of other content is not accepted', async () => {
  const server = await start({ isSealed: true, keys: NEXT });
  const { key } = await server.createKey('pro');
  const ask = async (input: string) =>
    (await server.call('/v1/responses', { headers: bearer(key), body: { model: 'model', input } })).body.id;
  const one = await ask('say: one');
  const two = await ask('say: two');
  await storeRows(
    dataDirectory,
    `UPDATE response SET envelope = (SELECT envelope FROM response WHERE id = '${one}') WHERE id = '${two}'`,
  );
  const read = (id: string) => server.call(`/v1/responses/${id}`, { headers: bearer(key) });
  expect((await read(one)).status).toBe(200);
  expect((await read(two)).status).toBe(500);
  await server.stop();
});
