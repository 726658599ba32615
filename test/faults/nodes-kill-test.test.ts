import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { isLong } from '../support/is-long.ts';
import type { KillKind } from './nodes-kill/killed-node.ts';
import { nodeCrashPoints } from './nodes-kill/node-fault.ts';
import { runNodesKillTest } from './nodes-kill/run-nodes-kill-test.ts';

const SEED = 20_261_122;
const TIMEOUT_MS = 240_000;

const everyKind: readonly KillKind[] = [
  'late-at-random',
  'paused',
  'away',
  'with-postgres',
  'at-random',
  ...nodeCrashPoints,
];
/** One kind in each step of a charge, and two together with Postgres. */
const mainKinds: readonly KillKind[] = [
  'late-at-random',
  'settle-sent',
  'restore-sent',
  'with-postgres',
  'after-settlement',
];
const killKinds = isLong ? everyKind : mainKinds;

test(
  'bills each complete reply exactly once and keeps every limit, wherever nodes and Postgres are killed [ADM-15]',
  async () => {
    const report = await runNodesKillTest({
      kills: killKinds.length,
      postgresKills: 1,
      replies: isLong ? 1_000 : 60,
      killKinds,
      random: seededRandom(SEED),
      postgresPauseMs: isLong ? 20_000 : 60_000,
    });
    expect(report).toMatchObject({
      unbilled: [],
      billedWrong: [],
      contradictions: [],
      passedLimits: [],
      failedStarts: [],
    });
    expect(report.limitedCalls).toBeGreaterThan(0);
    expect(report.maxConcurrent).toBeGreaterThan(1);
    // On a busy machine, a few nodes are killed before they reach their point.
    expect(Object.keys(report.killsAt).length).toBeGreaterThan(killKinds.length / 2);
  },
  TIMEOUT_MS,
);

/** The ordinary run has the mutants of the kill test of one node. */
test.if(isLong)(
  'the kill test of several nodes detects nodes that settle behind the end',
  async () => {
    const report = await runNodesKillTest({
      kills: 3,
      postgresKills: 0,
      replies: 1,
      random: seededRandom(SEED),
      mutant: 'settles-behind-the-end' as const,
      killKinds: ['at-random'] as const,
      maxRunMs: 500,
    });
    expect(report.unbilled).not.toEqual([]);
  },
  TIMEOUT_MS,
);
