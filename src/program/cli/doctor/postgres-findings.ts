import { counted } from '../../../base/lib/counted.ts';
import { keysOf } from '../../../base/lib/records.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import type { PostgresFacts } from './postgres-facts.ts';

/** The resources of the database that this server would use. */
export type PostgresUse = {
  place: string;
  workers: number;
  /** The connections of a process: its pool, its notices and its health probe. */
  connectionsOfProcess: number;
  hasListenUrl: boolean;
  newestMigration: number;
};

const CHECK = 'store';
const OLDEST_VERSION = 15;
const NEWEST_VERSION = 18;
/** A longer round trip shows in the latency of each request. */
const SLOW_MS = 10;

/** Derives one finding from the facts. */
type FactCheck = (facts: PostgresFacts, use: PostgresUse) => Finding;

const checkVersion: FactCheck = ({ version, major }, { place }) => {
  const server = `Postgres at ${place} has version ${version}`;
  if (major < OLDEST_VERSION)
    return fail(CHECK, server, `upgrade the database server to version ${OLDEST_VERSION} or newer`);
  if (major > NEWEST_VERSION)
    return warn(CHECK, server, `versions ${OLDEST_VERSION} to ${NEWEST_VERSION} are tested`);
  return ok(CHECK, `${server} and needs no extension`);
};

const checkPermission: FactCheck = ({ mayCreate, role, database }) =>
  mayCreate
    ? ok(CHECK, `the role ${role} may create tables in the database ${database}`)
    : fail(
        CHECK,
        `the role ${role} lacks the permission CREATE in the database ${database}`,
        `run ALTER DATABASE "${database}" OWNER TO "${role}"`,
      );

const checkSchema: FactCheck = ({ schema }, { newestMigration }) => {
  if (schema === null) return ok(CHECK, 'the first start will create the schema');
  if (schema === newestMigration) return ok(CHECK, `the schema has version ${schema}, as this program`);
  if (schema < newestMigration)
    return ok(CHECK, `the schema has version ${schema}; the next start will raise it to ${newestMigration}`);
  return warn(
    CHECK,
    `the schema has version ${schema}, and this program knows ${newestMigration}`,
    'finish the rolling upgrade',
  );
};

const checkLatency: FactCheck = ({ latencyMs }) => {
  const message = `a round trip takes ${latencyMs.toFixed(1)} ms`;
  return latencyMs <= SLOW_MS
    ? ok(CHECK, message)
    : warn(CHECK, `${message}, and a request waits for two`, 'run the gateway in the region of the database');
};

const checkPool: FactCheck = ({ connectionLimit }, { workers, connectionsOfProcess }) => {
  const connections = workers * connectionsOfProcess;
  const message = `this machine uses up to ${connections} of ${connectionLimit} connections`;
  // A rolling upgrade starts a new node before the old one stops.
  return 2 * connections <= connectionLimit
    ? ok(CHECK, message)
    : warn(CHECK, message, 'lower store.connections, raise max_connections, or use PgBouncer');
};

const checkDurability: FactCheck = ({ fsync, fullPageWrites, synchronousCommit }) => {
  const settings = { fsync, full_page_writes: fullPageWrites, synchronous_commit: synchronousCommit };
  const off = keysOf(settings).filter((name) => settings[name] === 'off');
  return off.length === 0
    ? ok(CHECK, 'commits are durable')
    : warn(CHECK, `${off.join(' and ')} off: a crash can lose settlements`, 'switch it on');
};

const checkReplication: FactCheck = ({ standbys, synchronousNames, lagBytes }) => {
  if (standbys === 0 && synchronousNames === '') return ok(CHECK, 'no standby is connected');
  if (standbys === 0)
    return warn(
      CHECK,
      'synchronous_standby_names is set and no standby is connected, so commits wait',
      'start the standby',
    );
  const lag = lagBytes === null ? 'the role cannot see the lag' : `the lag is ${lagBytes} bytes`;
  const message = `${counted(standbys, 'standby', 'standbys')}, ${lag}`;
  if (synchronousNames !== '') return ok(CHECK, `synchronous replication: ${message}`);
  return warn(
    CHECK,
    `asynchronous replication: ${message}; a failover loses the settlements of the lag`,
    'set synchronous_standby_names',
  );
};

const checkPooler: FactCheck = ({ isPooled }, { hasListenUrl }) => {
  if (!isPooled) return ok(CHECK, 'connections lead to the server itself');
  if (hasListenUrl)
    return ok(CHECK, 'connections lead through a pool, and notices have an address of their own');
  return warn(CHECK, 'connections lead through a pool such as PgBouncer', 'set store.listen_url');
};

const checkClock: FactCheck = ({ clockDifferenceMs }) =>
  ok(
    CHECK,
    `the database's clock, which decides, differs by ${Math.round(clockDifferenceMs)} ms from this machine's`,
  );

const checks: readonly FactCheck[] = [
  checkVersion,
  checkPermission,
  checkSchema,
  checkLatency,
  checkPool,
  checkDurability,
  checkReplication,
  checkPooler,
  checkClock,
];

/** Derives the findings about a Postgres server from what it reports. */
export const postgresFindings = (facts: PostgresFacts, use: PostgresUse): Finding[] =>
  checks.map((check) => check(facts, use));
