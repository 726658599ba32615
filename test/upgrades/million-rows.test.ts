import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProcessUsage } from '../../bench/process-usage.ts';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { isLong } from '../support/is-long.ts';
import { runProgram } from '../support/spawn-program.ts';
import { startServer, type TestServerOptions } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { addEntries } from './support/add-entries.ts';
import {
  clockAfter,
  expectedOf,
  loadDatabase,
  preloadedClock,
  unpackDirectory,
} from './support/kept-release.ts';
import { releaseConfig } from './support/release-config.ts';
import { DATABASE_TOKEN, releases } from './support/releases.ts';

// Starts on a million rows of each release.
// The times are printed and not asserted, since other work makes them longer.

const ROWS = 1_000_000;
const TEST_MS = 900_000;
const place = mkdtempSync(join(tmpdir(), 'tollgate-million-'));
const upstream = serveSimulator();
const config = releaseConfig(upstream.url);
afterAll(async () => {
  await upstream.stop();
  rmSync(place, { recursive: true, force: true });
});

async function startTimed(name: string, options: TestServerOptions) {
  const startedAt = performance.now();
  const server = await startServer({ config, preload: preloadedClock, ...options });
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpuSeconds = readProcessUsage(server.pid).cpuUs / 1_000_000;
  console.log(`${name}: ready after ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time`);
  return server;
}

for (const { name } of releases)
  test.skipIf(!isLong)(
    `a directory of ${name} starts with a million entries that its sums do not have yet`,
    async () => {
      const expected = expectedOf(name, 'embedded');
      const dataDirectory = unpackDirectory(name, join(place, name));
      const { id } = expected.made.accounts[2]!;
      addEntries(dataDirectory, { accountId: id, count: ROWS });
      const server = await startTimed(name, { dataDirectory, environment: clockAfter(expected) });
      const { credits } = (await server.admin('GET', `/accounts/${id}`)).body;
      expect(credits.used).toBeGreaterThan(ROWS / 1_000);
      await server.stop();
      const { code, stdout } = await runProgram(['ledger', 'verify', '--data', dataDirectory]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/ 1\d{6} entries: all balances match/),
      });
      rmSync(dataDirectory, { recursive: true });
    },
    TEST_MS,
  );

const addGroupsSql = `
  INSERT INTO request_group (account_id, ended_at, first_id, last_id, count, lines)
  SELECT account_id, ended_at, first_id, last_id, count, lines
  FROM (SELECT * FROM request_group ORDER BY sequence LIMIT 1) AS sample, generate_series(1, $1::integer)`;

test.skipIf(!isLong)(
  'a database of 0.2.0 starts with a million groups of records, and divides them while it serves',
  async () => {
    const expected = expectedOf('0.2.0', 'postgres');
    const environment = {
      ...clockAfter(expected),
      DATABASE_URL: await loadDatabase('0.2.0', expected.killedAt + 5_000),
      TOLLGATE_ADMIN_TOKEN: DATABASE_TOKEN,
    };
    const database = new Database({ url: environment.DATABASE_URL, maxConnections: 1, deadlineMs: TEST_MS });
    await database.script('SET search_path = public');
    await database.run(addGroupsSql, [ROWS]);
    await database.run(
      `UPDATE request_count SET kept = kept + $1
      WHERE account_id = (SELECT account_id FROM request_group ORDER BY sequence LIMIT 1)`,
      [ROWS],
    );
    const server = await startTimed('0.2.0 on Postgres', { dataDirectory: join(place, 'node'), environment });
    const startedAt = performance.now();
    const isDivided = async () => (await database.all('SELECT 1 FROM request_month')).length > 1;
    await waitFor(isDivided, TEST_MS);
    console.log(`divided ${((performance.now() - startedAt) / 1_000).toFixed(1)} s later`);
    const count = await database.first('SELECT count(*) AS count FROM request_group');
    expect(Number(count!.count)).toBeGreaterThan(ROWS);
    await server.stop();
    await database.close();
  },
  TEST_MS,
);
