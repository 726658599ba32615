import { Database } from './database.ts';
import type { PoolMeter } from './pool-meter.ts';

/** The settings of `store` that concern Postgres. */
export type DatabaseSettings = {
  database_url: string;
  listen_url: string | null;
  connections: number;
  prepare: boolean;
};

export const openDatabase = (settings: DatabaseSettings, meter: PoolMeter): Database =>
  new Database({
    url: settings.database_url,
    listenUrl: settings.listen_url ?? undefined,
    maxConnections: settings.connections,
    prepare: settings.prepare,
    meter,
  });
