import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { signInAsOperator } from '../dashboard/sign-in.ts';
import type { Json } from '../support/call.ts';
import { contentOf } from '../support/content-of.ts';
import { databaseOf, dropDatabaseOf } from '../support/postgres/database-of.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { startSmallProvider } from '../support/start-small-provider.ts';
import { waitFor } from '../support/wait-for.ts';

const keyOf = (name: string): string => `sk-${name}-${randomBytes(12).toString('hex')}`;
const GOOD = keyOf('good');
const REFUSED = keyOf('refused');
const HEADER = keyOf('header');
const KEYS = [GOOD, REFUSED, HEADER];
const upstream = startSmallProvider([GOOD]);
const directory = mkdtempSync(join(tmpdir(), 'tollgate-nowhere-'));
const dataDirectory = join(directory, 'data');
const address = await databaseOf(dataDirectory);
const environment = { TOLLGATE_SECRET_KEY: randomBytes(32).toString('base64') };
afterAll(async () => {
  upstream.stop();
  await dropDatabaseOf(dataDirectory);
  rmSync(directory, { recursive: true, force: true });
});

/** The rows that are changed later, each in the member that it is named for. */
const CHANGED = ['ciphertext', 'nonce', 'tag', 'swapped', 'other', 'address', 'wire', 'name'];
const row = (id: string) => ({ id, wire: 'openai-chat', base_url: upstream.url, api_key: GOOD });

/** Expects that none of the keys, nor most of one, is in a text. */
function expectNoKey(where: string, text: string): void {
  for (const key of KEYS)
    for (const form of [key.slice(3), Buffer.from(key).toString('base64').slice(0, 20)])
      expect({ where, isIncluded: text.includes(form) }).toEqual({ where, isIncluded: false });
}

/** Returns the state of each process that still runs, as the operating system shows it. */
const processes = (): string =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) =>
      ['cmdline', 'environ'].map((file) => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'latin1');
        } catch {
          return '';
        }
      }),
    )
    .join('\n');

async function tablesOf(url: string): Promise<string> {
  const database = new Database({ url, maxConnections: 1 });
  const tables = await database.all("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  const texts: string[] = [];
  for (const { tablename } of tables) {
    const rows = await database.all(`SELECT t::text AS text FROM "${tablename}" t`);
    texts.push(...rows.map(({ text }) => String(text)));
  }
  await database.close();
  return texts.join('\n');
}

/** Returns the paths of all lists and views that need no id, and of those of a provider. */
async function pathsOf(server: TestServer): Promise<string[]> {
  const { paths } = (await server.call('/openapi.json')).body as { paths: Record<string, Json> };
  return Object.keys(paths)
    .filter((path) => path.startsWith('/admin/v1') && paths[path].get)
    .map((path) => path.slice('/admin/v1'.length))
    .flatMap((path) =>
      path.includes('/providers/{id}') ? KEYS.map((_, index) => path.replace('{id}', `p${index}`)) : path,
    )
    .filter((path) => !path.includes('{'));
}

test('a stored key is in no answer, page, log, backup, table and process', async () => {
  const server = await startServer({ dataDirectory, environment, config: {} });
  const answers = [
    await server.admin('POST', '/providers', row('p0')),
    await server.admin('POST', '/providers', { ...row('p1'), api_key: REFUSED }),
    await server.admin('POST', '/providers', { ...row('p2'), headers: { 'x-secret': HEADER } }),
    await server.admin('POST', '/providers/test', { ...row('p3'), api_key: REFUSED }),
    await server.admin('PATCH', '/providers/p0', { max_concurrent: 7 }),
    await server.admin('POST', '/providers', { ...row('p0') }),
    await server.admin('POST', '/providers', { ...row('wrong'), base_url: 'nothing' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 409, 400]);
  for (const id of CHANGED) expect((await server.admin('POST', '/providers', row(id))).status).toBe(201);
  const model = {
    context_window: 8_192,
    pricing_usd_per_mtok: { input: 1, output: 4 },
    plan: 'free',
  };
  for (const id of ['p0', 'p1'])
    answers.push(
      await server.admin('POST', '/models', {
        ...model,
        id: `model-${id}`,
        routes: [{ provider: id, model: 'small-1' }],
      }),
      await server.admin('POST', `/providers/${id}/test`, {}),
    );
  const { key, account } = await server.createKey('pro');
  // The upstream repeats the key in the message of its refusal.
  for (const id of ['p0', 'p1']) answers.push(await server.chat(key, `model-${id}`));
  await waitFor(async () => (await server.admin('GET', '/faults')).body.data.length > 0);
  await waitFor(async () => (await server.admin('GET', `/requests?account=${account}`)).body.data.length > 1);
  for (const { request_id: id } of (await server.admin('GET', '/requests')).body.data)
    answers.push(await server.admin('GET', `/requests/${id}`));
  for (const { text, status } of answers) expectNoKey(`answer ${status}`, text);

  const operator = await signInAsOperator(server);
  const paths = await pathsOf(server);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths).toContain('/providers/p1');
  for (const path of paths) {
    expectNoKey(path, (await server.admin('GET', path)).text);
    expectNoKey(`page ${path}`, (await operator.call(`/operator${path}`)).text);
  }
  expectNoKey('metrics', (await server.call('/metrics')).text);
  expectNoKey('log', server.log() + server.errors());
  expectNoKey('processes', processes());
  // The files of the embedded store, its backups, and the tables of the other one.
  expectNoKey('files', contentOf(directory));
  if (address) expectNoKey('tables', await tablesOf(address));
  await server.stop();
});

/** Changes the first of the sealed bytes, the first after the nonce, or the last. */
function flipped(sealed: string, at: number): string {
  const [version, id, content] = sealed.split('.');
  const bytes = Buffer.from(content!, 'base64url');
  const index = at < 0 ? bytes.length + at : at;
  bytes[index] = bytes[index]! ^ 1;
  return [version, id, bytes.toString('base64url')].join('.');
}

type Stored = { id: string; settings: string; secrets: string };
type Rows = Readonly<Record<string, Stored>>;

const changes: Readonly<Record<string, (row: Stored, rows: Rows) => Partial<Stored>>> = {
  ciphertext: ({ secrets }) => ({ secrets: flipped(secrets, 12) }),
  nonce: ({ secrets }) => ({ secrets: flipped(secrets, 0) }),
  tag: ({ secrets }) => ({ secrets: flipped(secrets, -1) }),
  swapped: (_, rows) => ({ secrets: rows.other!.secrets }),
  other: (_, rows) => ({ secrets: rows.swapped!.secrets }),
  address: ({ settings }) => ({ settings: settings.replace(upstream.url, `${upstream.url}/elsewhere`) }),
  wire: ({ settings }) => ({ settings: settings.replace('openai-chat', 'anthropic-messages') }),
  name: ({ settings }) => ({ id: 'renamed', settings: settings.replace('"name"', '"renamed"') }),
};

/** Changes the rows of providers in the store. */
async function changeRows(): Promise<void> {
  const database = address ? new Database({ url: address, maxConnections: 1 }) : undefined;
  const file = database ? undefined : new SqliteFile(join(dataDirectory, 'tollgate.db'));
  const readSql = "SELECT id, settings, secrets FROM stored_setting WHERE kind = 'provider'";
  const found = database ? await database.all(readSql) : file!.query(readSql).all();
  const rows: Rows = Object.fromEntries((found as Stored[]).map((one) => [one.id, one]));
  for (const id of CHANGED) {
    const next = { ...rows[id]!, ...changes[id]!(rows[id]!, rows) };
    expect(next).not.toEqual(rows[id]!);
    const values = [next.id, next.settings, next.secrets, id];
    const writeSql = (mark: string) =>
      `UPDATE stored_setting SET id = ${mark}1, settings = ${mark}2, secrets = ${mark}3
       WHERE kind = 'provider' AND id = ${mark}4`;
    if (database) await database.run(writeSql('$'), values);
    else file!.query(writeSql('?')).run(...values);
  }
  await database?.close();
  file?.close();
}

test('a row with any member changed in the store is refused until it gets another key, and operators see why', async () => {
  await changeRows();
  const server = await startServer({ dataDirectory, environment, config: {} });
  const calls = upstream.seen.length;
  const refused = CHANGED.map((id) => (id === 'name' ? 'renamed' : id)).sort();
  for (const id of refused) {
    expect({ id, body: (await server.admin('GET', `/providers/${id}`)).body }).toMatchObject({
      id,
      body: { health: 'down', fault: { cause: 'credential_unreadable' } },
    });
    expect({ id, status: (await server.admin('POST', `/providers/${id}/test`, {})).status }).toEqual({
      id,
      status: 409,
    });
  }
  expect(upstream.seen.length).toBe(calls);
  const faults = (await server.admin('GET', '/faults')).body.data as Json[];
  const unreadable = faults.filter(({ cause }) => cause === 'credential_unreadable');
  expect(unreadable.map(({ provider }) => provider).sort()).toEqual(refused);
  for (const { severity, reason, remedy } of unreadable) {
    expect(severity).toBe('error');
    expect(reason.length).toBeGreaterThan(10);
    expect(remedy.length).toBeGreaterThan(10);
  }
  expect((await server.admin('POST', '/providers/p0/test', {})).body.ok).toBe(true);
  expect((await server.call('/readyz')).status).toBe(200);
  const change = { base_url: upstream.url, api_key: GOOD };
  expect((await server.admin('PATCH', '/providers/address', change)).body.health).toBe('up');
  expect((await server.admin('POST', '/providers/address/test', {})).body.ok).toBe(true);
  expectNoKey('log', server.log() + server.errors());
  await server.stop();
});
