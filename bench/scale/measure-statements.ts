import { readFileSync } from 'node:fs';
import type { Database } from '../../src/store/postgres/database.ts';
import { GATE } from '../../src/store/postgres/gate/gate-calls.ts';
import { formatCall, type GateOp } from '../../src/store/postgres/gate/gate-op.ts';
import { postingText } from '../../src/store/postgres/ledger/posting-piece.ts';
import { SETTLE } from '../../src/store/postgres/ledger/settlements.ts';
import { sampleOrder, samplePosting } from '../../src/store/testing/conformance/sample-ledger.ts';
import type { ServiceTimes, StatementCost } from './service-times.ts';

const NODE = 'measured';
const ACCOUNT = 'acct_measured';
const LOG = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes";
const GROUP = 16;
const WARM_UP_CALLS = 20;

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

type Call = (size: number) => Promise<unknown>;

/**
 * Measures the statements of requests on one account.
 * The pool has one connection, so that one process of the server does the work.
 */
export async function measureStatements(
  database: Database,
  calls: number,
): Promise<Omit<ServiceTimes, 'nodeMs'>> {
  await database.run(
    `INSERT INTO node (id, started_at, heartbeat, version, config_hash, host) VALUES ($1, now_ms(), now_ms(), '', '', '')`,
    [NODE],
  );
  const restored = await database.first('SELECT restore($1, $2::text::jsonb, $2::text::jsonb) AS answer', [
    ...[NODE, '[]'],
  ]);
  const gate = gateCall(database, JSON.parse(String(restored!.answer)).era);
  const settle = settleCall(database);
  const gateCost = await costOf(database, gate, calls);
  const settleCost = await costOf(database, settle, calls);
  const before = await logOf(database);
  for (let index = 0; index < calls; index += 1) {
    await gate(GROUP);
    await settle(GROUP);
  }
  const logBytes = ((await logOf(database)) - before) / calls / GROUP;
  return { gate: gateCost, settle: settleCost, flushMs: await flushMsOf(database, calls), logBytes };
}

/** Admits the requests and ends as many, in one call. */
function gateCall(database: Database, era: string): Call {
  let number = 0;
  return (size) => {
    number += 1;
    const ops = Array.from({ length: size }, (_, index): GateOp[] => {
      const requestId = `gate_${number}_${index}`;
      const credit = sampleOrder({ requestId, accountId: ACCOUNT, keyId: 'key_measured' });
      const returns = { takenAt: Date.now(), place: true, tokens: 380, everything: false };
      return [
        { kind: 'release', credit: undefined, limits, returns },
        { kind: 'admit', credit: { ...credit, worst: null }, limits },
      ];
    }).flat();
    return database.first(GATE, [NODE, era, 'measured', number, formatCall(ops).text]);
  };
}

function settleCall(database: Database): Call {
  let number = 0;
  return (size) => {
    number += 1;
    const pieces = Array.from({ length: size }, (_, index) => {
      const requestId = `settle_${number}_${index}`;
      const order = sampleOrder({ requestId, accountId: ACCOUNT, keyId: 'key_measured' });
      return postingText(samplePosting({ order, microcredits: 0 }, 300), { isKept: false }, JSON.stringify);
    });
    return database.first(SETTLE, [NODE, `[${pieces.join(',')}]`]);
  };
}

/** Fits a line through the costs of single requests and of groups. */
async function costOf(database: Database, call: Call, calls: number): Promise<StatementCost> {
  const one = await cpuMsOf(database, () => call(1), calls);
  const many = await cpuMsOf(database, () => call(GROUP), calls);
  const eachMs = (many - one) / (GROUP - 1);
  return { fixedMs: one - eachMs, eachMs };
}

/** Measures the CPU time of the server's process for each call. */
async function cpuMsOf(database: Database, call: () => Promise<unknown>, calls: number): Promise<number> {
  for (let index = 0; index < WARM_UP_CALLS; index += 1) await call();
  const row = await database.first('SELECT pg_backend_pid() AS pid');
  const read = () => Number(readFileSync(`/proc/${row!.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  const before = read();
  for (let index = 0; index < calls; index += 1) await call();
  return (read() - before) / calls;
}

/** The difference between commits that wait for the log and commits that do not. */
async function flushMsOf(database: Database, calls: number): Promise<number> {
  const medianOf = async (mode: 'on' | 'off') => {
    const statement = `SELECT set_config('synchronous_commit', '${mode}', true), pg_logical_emit_message(true, '', 'x')`;
    const times: number[] = [];
    for (let index = 0; index < calls; index += 1) {
      const from = performance.now();
      await database.first(statement);
      times.push(performance.now() - from);
    }
    return times.sort((one, other) => one - other)[Math.floor(calls / 2)]!;
  };
  return Math.max(0, (await medianOf('on')) - (await medianOf('off')));
}

const logOf = async (database: Database): Promise<number> => Number((await database.first(LOG))!.bytes);
