import { afterAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { configOf } from '../../settings/config/testing/config-of.ts';
import { Database } from '../../store/postgres/database.ts';
import { postgresForTest } from '../../store/postgres/testing/postgres-for-test.ts';
import { temporaryDirectory } from '../../store/sqlite/testing/temporary-directory.ts';
import { Logger } from '../../watch/observability/logger.ts';
import { openPostgresStorage } from './open-postgres-storage.ts';

const { directory, remove } = temporaryDirectory();
afterAll(remove);

test('an opening that fails leaves no node behind', async () => {
  const databaseUrl = await (await postgresForTest()).create();
  const lines: string[] = [];
  const logger = new Logger({
    level: 'warn',
    format: 'json',
    write: (line) => lines.push(line),
    now: Date.now,
  });
  // A directory in the place of the spool cannot be opened.
  mkdirSync(join(directory, 'settlements.spool'));
  const opening = openPostgresStorage({
    config: configOf('', { DATA_DIR: directory }),
    databaseUrl,
    environment: {},
    logger,
    reportMigrated: () => {},
    configHash: () => 'hash',
    assignment: undefined,
  });
  await expect(opening).rejects.toThrow('settlements.spool');
  const database = new Database({ url: databaseUrl, maxConnections: 1 });
  try {
    expect(await database.all('SELECT id FROM node')).toEqual([]);
  } finally {
    await database.close();
  }
  // A heartbeat that went on would report the closed pool.
  await Bun.sleep(1_200);
  logger.flush();
  expect(lines).toEqual([]);
});
