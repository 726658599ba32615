import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer } from '../support/call.ts';
import { fullTest } from '../support/full-test.ts';
import { ledgerEntries } from '../support/ledger-entries.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { type CreatedKey, startServer, type TestServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
afterAll(upstream.stop);

/** Creates a data directory that is removed after the test. */
function createDirectory() {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-damaged-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const runLedger = async (directory: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runProgram(['ledger', ...args, '--data', directory]);
  return { code, text: stdout + stderr };
};

describe('an account with an entry that cannot be read', () => {
  const directory = createDirectory();
  let server: TestServer;
  let damaged: CreatedKey;
  let healthy: CreatedKey;
  const gauge = async () =>
    /^tollgate_quarantined_accounts (\d+)$/m.exec((await server.call('/metrics')).text)?.[1];

  beforeAll(async () => {
    server = await startServer({ config, dataDirectory: directory.path });
    damaged = await server.createKey('pro');
    healthy = await server.createKey('pro');
    for (const { key } of [damaged, healthy]) expect((await server.chat(key, 'test-small')).status).toBe(200);
    await server.stop();
    await storeRows(directory.path, `UPDATE entry SET text = 'x' WHERE text LIKE '%${damaged.account}%'`);
    // The embedded store reads entries again that are in no sum.
    if (!isOnPostgres) await storeRows(directory.path, 'UPDATE summed SET number = 0');
    server = await startServer({ config, dataDirectory: directory.path });
  });
  afterAll(async () => {
    await server.stop();
    directory[Symbol.dispose]();
  });

  test('is found at the start [CRD-48]', async () => {
    expect((await runLedger(directory.path, 'verify')).code).toBe(1);
    await waitFor(() => server.log().includes('account-quarantined'));
    expect(server.log()).toContain(damaged.account);
    expect(await gauge()).toBe('1');
  });

  test('is refused with 503 and no word of the ledger [CRD-48]', async () => {
    for (const { status, body, text } of [
      await server.chat(damaged.key, 'test-small'),
      await server.call('/v1/usage', { headers: bearer(damaged.key) }),
    ]) {
      expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'capacity_unavailable' });
      expect(body.error.message).toContain('under maintenance');
      expect(text).not.toMatch(/ledger|entry|quarantine|acct_/);
    }
  });

  test('does not affect other accounts [CRD-48]', async () => {
    expect((await server.chat(healthy.key, 'test-small')).status).toBe(200);
  });

  test('shows operators the fault and the entry [CRD-48]', async () => {
    const { ledger_fault } = await server.readAccount(damaged.account);
    expect(ledger_fault.reason).toMatch(/^The entry ent_\w+ of its ledger cannot be read\.$/);
    expect(await ledgerEntries(server, damaged.account)).toMatchObject([
      { unreadable: true, reason: 'This entry cannot be read.' },
    ]);
    expect(await runLedger(directory.path, 'inspect', damaged.account)).toEqual({
      code: 1,
      text: expect.stringMatching(/text of entry ent_.*In quarantine since 20/s),
    });
  });

  test('is not repaired without --yes [CRD-48]', async () => {
    expect(await runLedger(directory.path, 'repair', damaged.account)).toEqual({
      code: 2,
      text: expect.stringContaining('repeat with --yes'),
    });
  });

  test('is served again after a repair [CRD-48]', async () => {
    const options = [damaged.account, '--keep-balances', '--yes'];
    expect(await runLedger(directory.path, 'repair', ...options)).toEqual({
      code: 0,
      text: expect.stringContaining('in service again'),
    });
    expect((await server.chat(damaged.key, 'test-small')).status).toBe(200);
    expect(await gauge()).toBe('0');
    expect((await server.admin('GET', '/audit?limit=5')).body.data).toContainEqual(
      expect.objectContaining({ action: 'ledger-repair', target: damaged.account, actor: 'admin' }),
    );
  });

  test('has no fault after a repair of the whole ledger [CRD-48]', async () => {
    await runLedger(directory.path, 'repair', '--yes');
    const { text } = await runLedger(directory.path, 'verify');
    expect(text).toContain('all balances match the entries');
    await server.stop();
    if (!isOnPostgres) expect((await runLedger(directory.path, 'inspect', damaged.account)).code).toBe(0);
  });
});

// On Postgres only a node repairs the ledger.
test.skipIf(isOnPostgres)('repairs a stopped directory without a server [CRD-48]', async () => {
  using directory = createDirectory();
  await using first = await startServer({ config, dataDirectory: directory.path });
  const { key, account } = await first.createKey('pro');
  await first.chat(key, 'test-small');
  await first.stop();
  await storeRows(directory.path, `DELETE FROM entry WHERE text LIKE '%"usage"%'`);
  expect((await runLedger(directory.path, 'verify')).code).toBe(1);
  expect((await runLedger(directory.path, 'repair', account, '--yes')).code).toBe(0);
  // The chain still lacks the place of the deleted entry.
  expect((await runLedger(directory.path, 'verify')).code).toBe(1);
  expect((await runLedger(directory.path, 'repair', '--yes')).code).toBe(0);
  await using server = await startServer({ config, dataDirectory: directory.path });
  expect((await server.chat(key, 'test-small')).status).toBe(200);
  expect((await runLedger(directory.path, 'verify')).code).toBe(0);
  expect((await server.admin('GET', '/audit?limit=9')).body.data).toContainEqual(
    expect.objectContaining({ action: 'ledger-repair', target: account, actor: 'command-line' }),
  );
});

test.skipIf(isOnPostgres)(
  'refuses to inspect or repair an unknown account in a stopped directory [CRD-48]',
  async () => {
    using directory = createDirectory();
    const server = await startServer({ config, dataDirectory: directory.path });
    await server.stop();
    const refused = { code: 1, text: expect.stringContaining('There is no such account.') };
    expect(await runLedger(directory.path, 'inspect', 'acct_nobody')).toEqual(refused);
    expect(await runLedger(directory.path, 'repair', 'acct_nobody', '--yes')).toEqual(refused);
  },
);

fullTest('charges and reads back the largest plan at the highest price [CRD-48]', async () => {
  using directory = createDirectory();
  const expensive = sampleModel('expensive', {
    context_window: 1_000_000_000,
    max_output: 100_000_000,
    pricing_usd_per_mtok: { input: 10_000, output: 10_000 },
  });
  const largest = {
    ...config,
    plans: { pro: { credits: 1_000_000_000, tokens_per_min: 1_000_000_000 } },
    catalog: { default: false, models: [expensive] },
  };
  const start = () => startServer({ config: largest, dataDirectory: directory.path });
  await using server = await start();
  const { key, account } = await server.createKey('pro');
  upstream.answer('hidden-expensive', answerWithUsage(100_000_000, 100_000_000));
  for (const status of [200, 402])
    expect((await server.chat(key, 'expensive', { max_tokens: 100_000_000 })).status).toBe(status);
  const changed = await server.admin('PATCH', `/accounts/${account}`, {
    plan_overrides: { credits: 1e9 },
    cycle_started_at: new Date().toISOString(),
  });
  expect({ status: changed.status, limit: changed.body.credits.limit }).toEqual({
    status: 200,
    limit: 1e9,
  });
  const expectEntries = async (of: TestServer) => {
    expect(await ledgerEntries(of, account)).toMatchObject([
      { kind: 'renewal', microcredits: 1e15 },
      { kind: 'usage', microcredits: 1e15 },
    ]);
    expect((await runLedger(directory.path, 'verify')).code).toBe(0);
  };
  await expectEntries(server);
  await server.stop();
  await using restarted = await start();
  await expectEntries(restarted);
});
