import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { type Mutant, mutants } from './fault.ts';
import { runKillTest } from './run-kill-test.ts';

// The long run:
// `node scripts/run.mjs test/faults/kill-test.ts --kills 200 --replies 50000 [--mutant NAME] [--seed N]`.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    replies: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now()) },
    mutant: { type: 'string' },
  },
});
const mutant = mutants.find((name) => name === values.mutant) satisfies Mutant | undefined;
const report = await runKillTest({
  kills: Number(values.kills),
  replies: Number(values.replies),
  random: seededRandom(Number(values.seed)),
  mutant,
  onKill: ({ kills, killPoint, replies }) =>
    console.error(`kill ${kills} ${killPoint}: ${replies} replies so far`),
});
console.log(JSON.stringify({ seed: values.seed, ...report }, null, 2));
const isWell = [report.unbilled, report.billedWrong, report.contradictions].every(
  ({ length }) => length === 0,
);
process.exit(isWell ? 0 : 1);
