import type { CompleteReply } from '../busy-clients.ts';
import { USAGE } from '../chat-upstream.ts';
import { findPassedWindows } from './find-passed-windows.ts';
import type { KilledNode } from './killed-node.ts';
import type { KilledPostgres } from './killed-postgres.ts';
import { CONCURRENT, type NodeCustomers, PER_MINUTE } from './node-customers.ts';
import { findNodeContradictions, type NodeBill, readNodeBills } from './read-postgres-ledger.ts';
import type { WatchedUpstream } from './watched-upstream.ts';

export type NodesKillReport = {
  seconds: number;
  kills: number;
  /** The counts of the kills at each point. */
  killsAt: Record<string, number>;
  postgresKills: number;
  seenComplete: number;
  billed: number;
  recovered: number;
  /** The number of estimates whose difference was entered later. */
  adjusted: number;
  /** Replies that a client received completely, and that the ledger does not have. */
  unbilled: string[];
  /** Replies that a client received completely, and that were billed wrongly. */
  billedWrong: string[];
  contradictions: string[];
  passedLimits: string[];
  billedUnseen: number;
  /** The most requests of the limited key that were certainly admitted in 60 s. */
  maxInAMinute: number;
  limitedCalls: number;
  /** Requests of the limited key whose node was lost before it wrote them back to a restarted Postgres. */
  exemptCalls: number;
  maxConcurrent: number;
  failedStarts: string[];
};

type NodesEvidence = {
  customers: NodeCustomers;
  upstream: WatchedUpstream;
  postgres: KilledPostgres;
  nodes: readonly KilledNode[];
  replies: readonly CompleteReply[];
  contradictions: string[];
  seconds: number;
};

/**
 * The cost of an answer with the upstream's usage: 7 tokens at 1 USD and 3 at 4 USD for a million, in credits
 * of 0.002 USD.
 */
const COST_MICROCREDITS = (USAGE.prompt_tokens * 1 + USAGE.completion_tokens * 4) * 500;

export async function reportOnNodes(evidence: NodesEvidence): Promise<NodesKillReport> {
  const { nodes, replies, postgres, upstream } = evidence;
  const { database } = postgres;
  const bills = await readNodeBills(database);
  const byRequest = new Map(bills.map((bill) => [bill.requestId, bill]));
  const windows = findPassedWindows({
    calls: upstream.limited,
    perMinute: PER_MINUTE,
    losses: postgres.losses,
    silences: nodes.flatMap(({ silences }) => silences),
  });
  const billedReplies = replies.filter(({ requestId }) => byRequest.has(requestId));
  const wrong = billedReplies
    .filter(({ requestId, keyId }) => {
      const bill = byRequest.get(requestId)!;
      return !isRight(bill) || bill.keyId !== keyId;
    })
    .map(({ requestId }) => byRequest.get(requestId)!);
  return {
    seconds: Math.round(evidence.seconds),
    kills: nodes.reduce((sum, { kills }) => sum + kills, 0),
    killsAt: sumOf(nodes.map(({ killsAt }) => killsAt)),
    postgresKills: postgres.kills,
    seenComplete: replies.length,
    billed: bills.length,
    recovered: bills.filter(({ outcome }) => outcome === 'recovered').length,
    adjusted: bills.filter(({ isAdjusted }) => isAdjusted).length,
    unbilled: replies.filter(({ requestId }) => !byRequest.has(requestId)).map(({ requestId }) => requestId),
    billedWrong: wrong.map((bill) => JSON.stringify(bill)),
    contradictions: [
      ...evidence.contradictions,
      ...(await findNodeContradictions((sql) => database.all(sql))),
    ],
    passedLimits: [...windows.passed, ...(await passedBounds(evidence))],
    billedUnseen: bills.length - billedReplies.length,
    maxInAMinute: windows.most,
    limitedCalls: upstream.limited.length,
    exemptCalls: windows.exempt,
    maxConcurrent: upstream.mostNarrow(),
    failedStarts: nodes.flatMap(({ failedStarts }) => failedStarts),
  };
}

/**
 * Reports whether a bill is right. A bounded one may cost less, and an estimate needs its later difference.
 */
function isRight({ outcome, input, output, microcredits, bound, isAdjusted }: NodeBill): boolean {
  if (bound !== null) return microcredits <= COST_MICROCREDITS;
  const isExact = input === USAGE.prompt_tokens && output === USAGE.completion_tokens;
  return microcredits === COST_MICROCREDITS && (isAdjusted || (isExact && outcome === 'complete'));
}

async function passedBounds({ postgres, customers, upstream }: NodesEvidence): Promise<string[]> {
  const passed: string[] = [];
  const row = await postgres.database.first('SELECT sum(used) AS used FROM key_month WHERE key_id = $1', [
    customers.tightKey,
  ]);
  const used = Number(row?.used);
  const cap = customers.capMicrocredits();
  if (used > cap) passed.push(`the key with a cap of ${cap} has spent ${used}`);
  if (upstream.mostNarrow() > CONCURRENT)
    passed.push(`${upstream.mostNarrow()} requests at once pass the limit of ${CONCURRENT}`);
  return passed;
}

function sumOf(all: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of all)
    for (const [name, count] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}
