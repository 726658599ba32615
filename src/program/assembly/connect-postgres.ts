import type { Config } from '../../settings/config/config-schema.ts';
import { connectAtStart } from '../../store/postgres/connect-at-start.ts';
import type { Database } from '../../store/postgres/database.ts';
import { migrate } from '../../store/postgres/migrate.ts';
import { openDatabase } from '../../store/postgres/open-database.ts';
import { schema } from '../../store/postgres/schema.ts';
import type { SchemaUpgrade } from '../../store/schema-upgrade.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import { PoolMetrics } from '../../watch/observability/pool-metrics.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type ConnectOrder = {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** Reports an upgrade of an older schema. */
  reportMigrated: (migrated: SchemaUpgrade) => void;
};

export type ConnectedPostgres = { database: Database; metrics: PoolMetrics };

/** Waits for the database, and brings its schema up to date. A signal to stop ends each wait. */
export async function connectPostgres(order: ConnectOrder): Promise<ConnectedPostgres> {
  const { config, databaseUrl, logger, reportMigrated } = order;
  const metrics: PoolMetrics = new PoolMetrics(() => database.counts);
  const database: Database = openDatabase({ ...config.store, database_url: databaseUrl }, metrics);
  const report = (problem: string) => {
    logger.warn('database-awaited', { problem });
    logger.flush();
  };
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  try {
    const steps = { report, isStopped: () => isStopped };
    await connectAtStart(database.target, { ...steps, now: () => performance.now() });
    const migrated = await migrate(database, schema, steps);
    if (migrated) reportMigrated(migrated);
  } catch (error) {
    await database.close();
    throw error;
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  }
  return { database, metrics };
}
