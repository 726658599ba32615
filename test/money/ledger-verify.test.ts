import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToCharges } from '../support/add-to-charges.ts';
import { databaseOf } from '../support/postgres/database-of.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer } from '../support/start-server.ts';
import { storeRows } from '../support/store-rows.ts';
import { waitFor } from '../support/wait-for.ts';

async function summedRequests(directory: string): Promise<number> {
  const [row] = await storeRows(directory, 'SELECT sum(requests) AS requests FROM usage_hour');
  return Number(row?.requests);
}

test('`ledger verify` exits with 1 for a changed row of a running or a stopped server', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-verify-'));
  const upstream = startRecordingUpstream();
  const address = await databaseOf(directory);
  let isStopped = false;
  const verify = async (...options: string[]) => {
    const store = isStopped && address !== undefined ? ['--database-url', address] : ['--data', directory];
    const { code, stdout, stderr } = await runProgram(['ledger', 'verify', ...store, ...options]);
    return { code, text: options.length > 0 ? stdout : stdout + stderr };
  };
  const isFine = { code: 0, text: '1 account with 4 entries: all balances match the entries.\n' };
  const server = await startServer({ config: sampleConfig(upstream.url), dataDirectory: directory });
  try {
    const { key, account } = await server.createKey('pro');
    await runProgram(['account', 'purchase', account, '5', '--data', directory]);
    await runProgram(['account', 'grant', account, '12.5', '--reason', 'a test', '--data', directory]);
    for (let count = 0; count < 2; count++) await server.chat(key, 'test-small');
    expect(await server.readAccount(account)).toMatchObject({
      credits: { limit: 10_012.5 },
      purchased_credits: 2_500,
    });
    expect(await verify()).toEqual(isFine);
    // On Postgres a node sums usage up later, and then the sums have faults too.
    if (address !== undefined) await waitFor(async () => (await summedRequests(directory)) === 2);
    await addToCharges(directory, -1);
    const running = await verify();
    expect(running).toEqual({ code: 1, text: expect.stringContaining('hash of entry ent_') });
    await server.stop();
    isStopped = true;
    expect(await verify()).toEqual(running);
    const { entries, faults } = JSON.parse((await verify('--json')).text);
    expect({ entries, account_id: faults[0].account_id, what: faults[1].what }).toEqual({
      entries: 4,
      account_id: account,
      what: expect.stringMatching(/^hash of entry ent_/),
    });
    // Two hashes, and at least the balance, the month of the key and the sums of usage.
    expect(faults.length).toBeGreaterThanOrEqual(5);
    await addToCharges(directory, 1);
    expect(await verify()).toEqual(isFine);
    for (const text of ['nothing of the kind', '[]', '[1,2,3]']) {
      await storeRows(directory, `UPDATE entry SET text = '${text}' WHERE number = 2`);
      const damaged = await verify();
      expect(damaged).toEqual({ code: 1, text: expect.stringMatching(/hash of entry ent_.*\n/) });
      expect(damaged.text).not.toMatch(/undefined|NaN|\bat .*\.ts/);
    }
  } finally {
    await server.stop();
    upstream.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
