import { readFileSync } from 'node:fs';
import type { Database } from '../../src/store/postgres/database.ts';
import { formatCall } from '../../src/store/postgres/gate/format-call.ts';
import { GATE } from '../../src/store/postgres/gate/gate-calls.ts';
import type { GateOp } from '../../src/store/postgres/gate/gate-op.ts';
import { postingText } from '../../src/store/postgres/ledger/posting-piece.ts';
import { SETTLE } from '../../src/store/postgres/ledger/settlements.ts';
import { sampleOrder, samplePosting } from '../../src/store/testing/conformance/sample-ledger.ts';
import { percentileOf } from '../percentile-of.ts';
import type { ServiceTimes, StatementCost } from './service-times.ts';

const NODE = 'measured';
const ACCOUNT = 'acct_measured';
const KEY = 'key_measured';
const READ_LOG = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes";
const INSERT_NODE = `INSERT INTO node (id, started_at, heartbeat, version, config_hash, host)
  VALUES ($1, now_ms(), now_ms(), '', '', '')`;
/** Registers the node at the gate, which answers with the era of the node's calls. */
const RESTORE = 'SELECT restore($1, $2::text::jsonb, $2::text::jsonb) AS answer';
const GROUP = 16;
const WARM_UP_CALLS = 20;
const NANOSECONDS_PER_MS = 1e6;

/** Limits that no call reaches. */
const figures = {
  requestsPerMinute: 1e9,
  requestsPer5Minutes: null,
  concurrent: 1e6,
  tokensPerMinute: 1e12,
  networkRequestsPerMinute: null,
  storedMb: null,
};
const limits = {
  accountId: ACCOUNT,
  figures,
  key: undefined,
  network: undefined,
  requests: 1,
  tokens: 400,
  isConcurrent: true,
};

/** Sends one statement for a group of this many requests. */
type GroupCall = (size: number) => Promise<unknown>;

/**
 * Measures the statements of requests on one account.
 * The pool has one connection, so that one process of the server does the work.
 */
export async function measureStatements(
  database: Database,
  calls: number,
): Promise<Omit<ServiceTimes, 'nodeMs'>> {
  await database.run(INSERT_NODE, [NODE]);
  const restored = await database.first(RESTORE, [NODE, '[]']);
  const gate = gateCall(database, JSON.parse(String(restored!.answer)).era);
  const settle = settleCall(database);
  return {
    gate: await measureCost(database, gate, calls),
    settle: await measureCost(database, settle, calls),
    logBytes: await measureLogBytes(database, [gate, settle], calls),
    flushMs: await measureFlushMs(database, calls),
  };
}

/** Admits the requests and ends as many, in one call. */
function gateCall(database: Database, era: string): GroupCall {
  let number = 0;
  return (size) => {
    number += 1;
    const ops = Array.from({ length: size }, (_, index): GateOp[] => {
      const requestId = `gate_${number}_${index}`;
      const credit = sampleOrder({ requestId, accountId: ACCOUNT, keyId: KEY });
      const returns = { takenAt: Date.now(), endsConcurrency: true, tokens: 380, isUncounted: false };
      return [
        { kind: 'release', limits, returns },
        { kind: 'admit', credit: { ...credit, worst: null }, limits, versions: undefined },
      ];
    }).flat();
    return database.first(GATE, [NODE, era, 'measured', number, formatCall(ops).text]);
  };
}

function settleCall(database: Database): GroupCall {
  let number = 0;
  return (size) => {
    number += 1;
    const pieces = Array.from({ length: size }, (_, index) => {
      const requestId = `settle_${number}_${index}`;
      const order = sampleOrder({ requestId, accountId: ACCOUNT, keyId: KEY });
      return postingText(samplePosting({ order, microcredits: 0 }, 300), { isKept: false }, JSON.stringify);
    });
    return database.first(SETTLE, [NODE, `[${pieces.join(',')}]`]);
  };
}

/** Fits a line through the costs of single requests and of groups. */
async function measureCost(database: Database, call: GroupCall, calls: number): Promise<StatementCost> {
  const singleMs = await measureCpuMs(database, () => call(1), calls);
  const groupMs = await measureCpuMs(database, () => call(GROUP), calls);
  const eachMs = (groupMs - singleMs) / (GROUP - 1);
  return { fixedMs: singleMs - eachMs, eachMs };
}

/** Measures the CPU time of the server's process for each call. */
async function measureCpuMs(
  database: Database,
  call: () => Promise<unknown>,
  calls: number,
): Promise<number> {
  for (let index = 0; index < WARM_UP_CALLS; index += 1) await call();
  const row = await database.first('SELECT pg_backend_pid() AS pid');
  const readCpuMs = () =>
    Number(readFileSync(`/proc/${row!.pid}/schedstat`, 'latin1').split(' ')[0]) / NANOSECONDS_PER_MS;
  const before = readCpuMs();
  for (let index = 0; index < calls; index += 1) await call();
  return (readCpuMs() - before) / calls;
}

/** Measures the bytes of log that a request writes in all of its statements. */
async function measureLogBytes(
  database: Database,
  statements: readonly GroupCall[],
  calls: number,
): Promise<number> {
  const readBytes = async () => Number((await database.first(READ_LOG))!.bytes);
  const before = await readBytes();
  for (let index = 0; index < calls; index += 1) for (const call of statements) await call(GROUP);
  return ((await readBytes()) - before) / calls / GROUP;
}

/** Measures the difference between commits that wait for the log and commits that do not. */
async function measureFlushMs(database: Database, calls: number): Promise<number> {
  const medianOf = async (mode: 'on' | 'off') => {
    const statement = `SELECT set_config('synchronous_commit', '${mode}', true), pg_logical_emit_message(true, '', 'x')`;
    const timesMs: number[] = [];
    for (let index = 0; index < calls; index += 1) {
      const sentAt = performance.now();
      await database.first(statement);
      timesMs.push(performance.now() - sentAt);
    }
    return percentileOf(timesMs, 0.5);
  };
  return Math.max(0, (await medianOf('on')) - (await medianOf('off')));
}
