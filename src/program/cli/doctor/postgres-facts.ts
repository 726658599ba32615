import type { PostgresConnection } from '../../../store/postgres/connection/postgres-connection.ts';

/** The facts that a Postgres server reports about itself. */
export type PostgresFacts = {
  version: string;
  major: number;
  role: string;
  database: string;
  mayCreate: boolean;
  /** The connections that the role may open to the database. */
  connectionLimit: number;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  synchronousNames: string;
  standbys: number;
  /**
   * Bytes that the slowest standby has not replayed. `null` means that there is no standby, or that the role
   * may not see it.
   */
  lagBytes: number | null;
  /** The number of the newest migration. `null` means that the database is empty. */
  schema: number | null;
  /** A pool such as PgBouncer answers for the server. */
  isPooled: boolean;
  /** The median round trip. */
  latencyMs: number;
  /** The database's clock minus that of this machine. */
  clockDifferenceMs: number;
};

const ROUND_TRIPS = 7;
/** A version has the number 170002 if it is 17.2. */
const MAJOR_STEP = 10_000;

/** Asks a server for its facts, and measures round trips. Nothing is written. */
export async function readPostgresFacts(connection: PostgresConnection): Promise<PostgresFacts> {
  const { rows } = await connection.query({ text: selectFactsSql });
  // The statement below makes this object.
  const reported = JSON.parse(String(rows[0]?.facts)) as ReportedFacts;
  const { processId, versionNumber, limits, hasSchema, ...facts } = reported;
  const median = await medianRoundTrip(connection);
  return {
    ...facts,
    major: Math.floor(versionNumber / MAJOR_STEP),
    connectionLimit: Math.min(...limits.filter((limit) => limit >= 0)),
    schema: hasSchema ? await newestMigration(connection) : null,
    isPooled: processId !== connection.facts.processId,
    latencyMs: median.ms,
    clockDifferenceMs: median.differenceMs,
  };
}

type ReportedFacts = Omit<
  PostgresFacts,
  'major' | 'connectionLimit' | 'schema' | 'isPooled' | 'latencyMs' | 'clockDifferenceMs'
> & {
  versionNumber: number;
  processId: number;
  /** Numbers of connections. -1 means that there is no limit. */
  limits: number[];
  hasSchema: boolean;
};

type RoundTrip = { ms: number; differenceMs: number };

async function medianRoundTrip(connection: PostgresConnection): Promise<RoundTrip> {
  const trips: RoundTrip[] = [];
  while (trips.length < ROUND_TRIPS) trips.push(await roundTrip(connection));
  return trips.sort((left, right) => left.ms - right.ms)[Math.floor(ROUND_TRIPS / 2)]!;
}

async function roundTrip(connection: PostgresConnection): Promise<RoundTrip> {
  const startedAt = performance.now();
  const { rows } = await connection.query({
    text: 'SELECT extract(epoch FROM clock_timestamp())::text AS now',
  });
  const ms = performance.now() - startedAt;
  return { ms, differenceMs: Number(rows[0]?.now) * 1_000 + ms / 2 - Date.now() };
}

async function newestMigration(connection: PostgresConnection): Promise<number | null> {
  const { rows } = await connection.query({ text: 'SELECT max(number)::text AS newest FROM migration' });
  const newest = rows[0]?.newest;
  return newest == null ? null : Number(newest);
}

const selectFactsSql = `
  SELECT json_build_object(
    'version', current_setting('server_version'),
    'versionNumber', current_setting('server_version_num')::int,
    'role', current_user,
    'database', current_database(),
    'mayCreate', coalesce(has_schema_privilege(current_schema(), 'CREATE'), false),
    'limits', json_build_array(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
      (SELECT datconnlimit FROM pg_database WHERE datname = current_database())
    ),
    'fsync', current_setting('fsync'),
    'fullPageWrites', current_setting('full_page_writes'),
    'synchronousCommit', current_setting('synchronous_commit'),
    'synchronousNames', current_setting('synchronous_standby_names'),
    'standbys', (SELECT count(*) FROM pg_stat_replication),
    'lagBytes', (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication),
    'hasSchema', to_regclass('migration') IS NOT NULL,
    'processId', pg_backend_pid()
  )::text AS facts`;
