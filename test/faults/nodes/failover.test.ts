import { expect, test } from 'bun:test';
import { Database } from '../../../src/store/postgres/database.ts';
import { installedBinaries } from '../../support/postgres/postgres-binaries.ts';
import { PostgresServer } from '../../support/postgres/postgres-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openCrashGateway, SERVED_MS } from './crash-gateway.ts';

/** Two servers and a base backup take long on a busy machine. */
const MAX_MS = 180_000;

const binaries = installedBinaries();
const canFailOver = binaries?.isComplete === true;
if (!canFailOver) console.log('skipped: a failover needs pg_basebackup, which only installed packages have');

/** Commits wait for the standby from now on. */
async function waitForStandby(primary: PostgresServer): Promise<void> {
  const database = new Database({ url: primary.url, maxConnections: 1, deadlineMs: 20_000 });
  await database.run(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await database.all('SELECT pg_reload_conf()');
  await waitFor(async () => {
    const row = await database.first('SELECT sync_state FROM pg_stat_replication');
    return row?.sync_state === 'sync';
  });
  await database.close();
}

test.skipIf(!canFailOver)(
  'a failover to a synchronous standby keeps every charge, window and place',
  async () => {
    const primary = await PostgresServer.create({ binaries });
    const standby = await primary.standby();
    await waitForStandby(primary);
    const url = primary.url.replace(`:${primary.port}/`, `:${primary.port},127.0.0.1:${standby.port}/`);
    const crashes = await openCrashGateway({ server: primary, url });
    const steps = { end: () => primary.kill(), bringBack: () => standby.promote() };
    const tookMs = await crashes.expectLimitsKeptOver(() => crashes.endPostgres(steps));
    expect(tookMs).toBeLessThan(SERVED_MS);
    await crashes.gateway.close();
    await standby.remove();
  },
  MAX_MS,
);
