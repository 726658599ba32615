import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, type Json } from '../support/call.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { countRows, storeRows } from '../support/store-rows.ts';

const MONTH_S = 32 * 86_400;
const directory = mkdtempSync(join(tmpdir(), 'tollgate-archive-'));
const upstream = startRecordingUpstream();
const start = (environment: Record<string, string> = {}) =>
  startServer({ config: sampleConfig(upstream.url), dataDirectory: directory, environment });
let server = await start({ TOLLGATE_TEST_CLOCK: '1' });
afterAll(async () => {
  await server.stop();
  upstream.stop();
  rmSync(directory, { recursive: true, force: true });
});

const key = await server.createKey('pro', { monthly_cap_usd: 5 });
await server.admin('POST', `/accounts/${key.account}/grants`, { credits: 5, reason: 'a test' });
/** The request ids of two months, which are over. */
const requests: string[] = [];
for (let months = 0; months < 2; months++) {
  for (let number = 0; number < 3; number++)
    requests.push((await server.chat(key.key, 'test-small')).headers.get('x-svc-request-id')!);
  await server.admin('POST', '/test/clock', { advance_s: MONTH_S });
}

const thisMonth = async (): Promise<string> =>
  (await server.admin('POST', '/test/clock', { advance_s: 1 })).body.now.slice(0, 7);

const entries = () => ledgerEntries(server, key.account);

/** Reads all views of the ledger, for operators and for clients. */
async function readViews(): Promise<Json> {
  const { account } = key;
  const get = async (path: string) => (await server.admin('GET', path)).body;
  const read = async (path: string) => (await server.call(path, { headers: bearer(key.key) })).body;
  const { credits, purchased_credits } = await get(`/accounts/${account}`);
  return {
    credits,
    purchased_credits,
    ledger: await get(`/accounts/${account}/ledger?limit=100`),
    usage: await Promise.all(['day', 'model', 'key'].map((by) => get(`/accounts/${account}/usage?by=${by}`))),
    entries: await Promise.all(requests.map((id) => get(`/ledger/entries/${id}`))),
    receipts: await Promise.all(requests.map((id) => read(`/v1/usage/${id}`))),
    verified: await get('/ledger/verify'),
  };
}

test('an archive changes no balance, list, sum or receipt', async () => {
  const before = await readViews();
  expect(before.receipts[0]).toMatchObject({ request_id: requests[0] });
  expect(before.verified.faults).toEqual([]);
  const month = await thisMonth();
  const { code, stdout } = await runProgram([
    'ledger',
    'archive',
    '--before',
    month,
    '--data',
    directory,
    '--json',
  ]);
  const moved = JSON.parse(stdout);
  expect({ code, moved }).toEqual({
    code: 0,
    moved: { before: month, entries: expect.any(Number), segments: 1, bytes: expect.any(Number) },
  });
  expect(moved.entries).toBeGreaterThanOrEqual(requests.length);
  if (isOnPostgres) expect(await countRows(directory, 'ledger_segment')).toBe(1);
  else expect(readdirSync(join(directory, 'archive'))).toHaveLength(1);
  expect(await readViews()).toEqual(before);
  const { data } = (await server.admin('GET', '/audit?limit=1')).body;
  expect(data[0]).toMatchObject({ action: 'ledger-archive', target: 'ledger', after: moved });
});

test('a text other than a past month is refused', async () => {
  for (const before of ['2999-01', '2026-13', 'October', '']) {
    const { status, body } = await server.admin('POST', '/ledger/archive', { before });
    expect({ status, param: body.error.param }).toEqual({ status: 400, param: 'before' });
    const { code } = await runProgram(['ledger', 'archive', `--before=${before}`, '--data', directory]);
    expect({ before, code }).toEqual({ before, code: before === '' ? 2 : 1 });
  }
  expect((await runProgram(['ledger', 'archive', '--data', directory])).code).toBe(2);
});

test('charges continue after the archive and a restart', async () => {
  expect((await server.chat(key.key, 'test-small')).status).toBe(200);
  const before = await entries();
  await server.stop();
  server = await start();
  expect(await entries()).toEqual(before);
});

// On Postgres only a node moves entries.
test.skipIf(isOnPostgres)('a stopped directory can be archived too', async () => {
  const before = await entries();
  await server.stop();
  const archive = await runProgram(['ledger', 'archive', '--before', '2026-01', '--data', directory]);
  expect(archive).toMatchObject({ code: 0, stdout: 'No entries from before 2026-01 are left to move.\n' });
  const late = await runProgram(['ledger', 'archive', '--before', '2999-01', '--data', directory]);
  expect({ code: late.code, stderr: late.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('at most the current month'),
  });
  expect(await runProgram(['ledger', 'verify', '--data', directory])).toMatchObject({ code: 0, stderr: '' });
  server = await start();
  expect(await entries()).toEqual(before);
});

test('a ledger with faults is not archived', async () => {
  await storeRows(directory, `UPDATE bucket SET used = used + 1 WHERE period = 'purchased' OR used > 0`);
  const { status, body } = await server.admin('POST', '/ledger/archive', { before: '2026-01' });
  expect({ status, message: body.error.message }).toEqual({
    status: 409,
    message: expect.stringMatching(/has \d+ faults, and nothing was moved/),
  });
});
