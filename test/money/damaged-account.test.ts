import { afterAll, expect, test } from 'bun:test';
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
import { startServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
afterAll(upstream.stop);

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-damaged-'));
  try {
    await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const program = async (directory: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runProgram([...args, '--data', directory]);
  return { code, text: stdout + stderr };
};

test('reports a damaged account at the start, refuses it with 503, and repairs it; other accounts are served [CRD-48]', async () => {
  await inDirectory(async (directory) => {
    let server = await startServer({ config, dataDirectory: directory });
    const damaged = await server.createKey('pro');
    const healthy = await server.createKey('pro');
    for (const { key } of [damaged, healthy]) expect((await server.chat(key, 'test-small')).status).toBe(200);
    await server.stop();
    await storeRows(directory, `UPDATE entry SET text = 'x' WHERE text LIKE '%${damaged.account}%'`);
    // The embedded store reads entries again that are in no sum.
    if (!isOnPostgres) await storeRows(directory, 'UPDATE summed SET number = 0');

    server = await startServer({ config, dataDirectory: directory });
    expect((await server.chat(healthy.key, 'test-small')).status).toBe(200);
    expect((await program(directory, 'ledger', 'verify')).code).toBe(1);
    await waitFor(() => server.log().includes('account-quarantined'));
    expect(server.log()).toContain(damaged.account);
    const refused = [
      await server.chat(damaged.key, 'test-small'),
      await server.call('/v1/usage', { headers: bearer(damaged.key) }),
    ];
    for (const { status, body, text } of refused) {
      expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'capacity_unavailable' });
      expect(body.error.message).toContain('under maintenance');
      expect(text).not.toMatch(/ledger|entry|quarantine|acct_/);
    }
    expect((await server.chat(healthy.key, 'test-small')).status).toBe(200);
    expect((await server.call('/metrics')).text).toContain('tollgate_quarantined_accounts 1\n');
    const view = await server.readAccount(damaged.account);
    expect(view.ledger_fault.reason).toMatch(/^The entry ent_\w+ of its ledger cannot be read\.$/);
    expect(await ledgerEntries(server, damaged.account)).toMatchObject([
      { unreadable: true, reason: 'This entry cannot be read.' },
    ]);

    const inspected = await program(directory, 'ledger', 'inspect', damaged.account);
    expect({ code: inspected.code, text: inspected.text }).toEqual({
      code: 1,
      text: expect.stringMatching(/text of entry ent_.*In quarantine since 20/s),
    });
    const unsure = await program(directory, 'ledger', 'repair', damaged.account);
    expect({ code: unsure.code, text: unsure.text }).toEqual({
      code: 2,
      text: expect.stringContaining('repeat with --yes'),
    });
    const repaired = await program(
      directory,
      'ledger',
      'repair',
      damaged.account,
      '--keep-balances',
      '--yes',
    );
    expect({ code: repaired.code, text: repaired.text }).toEqual({
      code: 0,
      text: expect.stringContaining('in service again'),
    });
    expect((await server.chat(damaged.key, 'test-small')).status).toBe(200);
    const audit = (await server.admin('GET', '/audit?limit=5')).body.data;
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'ledger-repair', target: damaged.account, actor: 'admin' }),
    );
    expect((await server.call('/metrics')).text).toContain('tollgate_quarantined_accounts 0\n');
    await program(directory, 'ledger', 'repair', '--yes');
    expect((await program(directory, 'ledger', 'verify')).text).toContain('all balances match the entries');
    await server.stop();
    if (!isOnPostgres) expect((await program(directory, 'ledger', 'inspect', damaged.account)).code).toBe(0);
  });
});

// On Postgres only a node repairs the ledger.
test.skipIf(isOnPostgres)('repairs a stopped directory without a server [CRD-48]', async () => {
  await inDirectory(async (directory) => {
    let server = await startServer({ config, dataDirectory: directory });
    const { key, account } = await server.createKey('pro');
    await server.chat(key, 'test-small');
    await server.stop();
    await storeRows(directory, `DELETE FROM entry WHERE text LIKE '%"usage"%'`);
    expect((await program(directory, 'ledger', 'verify')).code).toBe(1);
    expect((await program(directory, 'ledger', 'repair', account, '--yes')).code).toBe(0);
    // The place of the entry that is gone.
    expect((await program(directory, 'ledger', 'verify')).code).toBe(1);
    expect((await program(directory, 'ledger', 'repair', '--yes')).code).toBe(0);
    server = await startServer({ config, dataDirectory: directory });
    expect((await server.chat(key, 'test-small')).status).toBe(200);
    expect((await program(directory, 'ledger', 'verify')).code).toBe(0);
    expect((await server.admin('GET', '/audit?limit=9')).body.data).toContainEqual(
      expect.objectContaining({ action: 'ledger-repair', target: account, actor: 'command-line' }),
    );
    await server.stop();
  });
});

test.skipIf(isOnPostgres)(
  'refuses to inspect or repair an unknown account in a stopped directory [CRD-48]',
  async () => {
    await inDirectory(async (directory) => {
      const server = await startServer({ config, dataDirectory: directory });
      await server.stop();
      const refused = { code: 1, text: expect.stringContaining('There is no such account.') };
      expect(await program(directory, 'ledger', 'inspect', 'acct_nobody')).toEqual(refused);
      expect(await program(directory, 'ledger', 'repair', 'acct_nobody', '--yes')).toEqual(refused);
    });
  },
);

fullTest('charges and reads back the largest plan at the highest price [CRD-48]', async () => {
  await inDirectory(async (directory) => {
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
    let server = await startServer({ config: largest, dataDirectory: directory });
    const { key, account } = await server.createKey('pro');
    upstream.answer('hidden-expensive', answerWithUsage(100_000_000, 100_000_000));
    for (let count = 0; count < 2; count++)
      expect((await server.chat(key, 'expensive', { max_tokens: 100_000_000 })).status).toBe(
        [200, 402][count]!,
      );
    const changed = await server.admin('PATCH', `/accounts/${account}`, {
      plan_overrides: { credits: 1e9 },
      cycle_started_at: new Date().toISOString(),
    });
    expect({ status: changed.status, limit: changed.body.credits.limit }).toEqual({
      status: 200,
      limit: 1e9,
    });
    for (let starts = 0; starts < 2; starts++) {
      const { status, body } = await server.admin('GET', `/accounts/${account}/ledger`);
      expect({ status, data: body.data }).toMatchObject({
        status: 200,
        data: [
          { kind: 'renewal', microcredits: 1e15 },
          { kind: 'usage', microcredits: 1e15 },
        ],
      });
      expect((await program(directory, 'ledger', 'verify')).code).toBe(0);
      await server.stop();
      server = await startServer({ config: largest, dataDirectory: directory });
    }
    await server.stop();
  });
});
