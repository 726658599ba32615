import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { type NodeMutant, nodeMutants } from './nodes-kill/node-fault.ts';
import { runNodesKillTest } from './nodes-kill/run-nodes-kill-test.ts';

// The long run:
// `node scripts/run.mjs test/faults/nodes-kill-test.ts --kills 200 --postgres-kills 20 --replies 50000
// [--minutes N] [--mutant NAME] [--seed N]`.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    'postgres-kills': { type: 'string', default: '20' },
    replies: { type: 'string', default: '50000' },
    minutes: { type: 'string' },
    'run-ms': { type: 'string', default: '10000' },
    'postgres-pause-ms': { type: 'string', default: '75000' },
    seed: { type: 'string', default: String(Date.now()) },
    mutant: { type: 'string' },
  },
});
const mutant = nodeMutants.find((name) => name === values.mutant) satisfies NodeMutant | undefined;
const report = await runNodesKillTest({
  kills: Number(values.kills),
  postgresKills: Number(values['postgres-kills']),
  replies: Number(values.replies),
  ...(values.minutes !== undefined && { longestMs: Number(values.minutes) * 60_000 }),
  maxRunMs: Number(values['run-ms']),
  postgresPauseMs: Number(values['postgres-pause-ms']),
  random: seededRandom(Number(values.seed)),
  mutant,
  onKill: ({ kills, postgresKills, kind, replies }) =>
    console.error(`kill ${kills} ${kind}, ${postgresKills} of Postgres: ${replies} replies so far`),
});
console.log(JSON.stringify({ seed: values.seed, ...report }, null, 2));
const { unbilled, billedWrong, contradictions, passedLimits, failedStarts } = report;
const isWell = [unbilled, billedWrong, contradictions, passedLimits, failedStarts].every(
  ({ length }) => length === 0,
);
process.exit(isWell ? 0 : 1);
