import { readProcessUsage } from '../../../bench/process-usage.ts';
import { Database } from '../../../src/store/postgres/database.ts';

type DatabaseUsage = { cpuUs: number; logBytes: number; commits: number };

const FIGURES = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes, pg_stat_get_db_xact_commit(oid) AS commits
  FROM pg_database WHERE datname = current_database()`;
/** Sessions publish their statistics at most once a second while they work. */
const STATISTICS_MS = 1_200;

/** Reads what a Postgres server has used since its start. */
export class DatabaseMeter {
  readonly #database: Database;
  readonly #pid: number;

  constructor(url: string, pid: number) {
    this.#database = new Database({ url, maxConnections: 1 });
    this.#pid = pid;
  }

  async read(): Promise<DatabaseUsage> {
    const { cpuUs } = readProcessUsage(this.#pid);
    await Bun.sleep(STATISTICS_MS);
    const row = await this.#database.first(FIGURES);
    return { cpuUs, logBytes: Number(row!.bytes), commits: Number(row!.commits) };
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
