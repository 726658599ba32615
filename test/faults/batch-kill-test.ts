import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { runBatchKillTest } from './run-batch-kill-test.ts';

// The long run:
// `node scripts/run.mjs test/faults/batch-kill-test.ts --batches 5 --items 1000 --kills 28 [--native]
// [--seed N]`.

const { values } = parseArgs({
  options: {
    batches: { type: 'string', default: '5' },
    items: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
    native: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const report = await runBatchKillTest({
  batches: Number(values.batches),
  items: Number(values.items),
  kills: Number(values.kills),
  native: values.native,
  random: seededRandom(Number(values.seed)),
  onKill: ({ kills, killPoint, calls }) => console.error(`kill ${kills} ${killPoint}: ${calls} calls so far`),
});
console.log(JSON.stringify({ seed: values.seed, ...report }, null, 2));
process.exit(report.faults.length === 0 ? 0 : 1);
