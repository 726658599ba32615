import { parseArgs } from 'node:util';
import { runSoak } from './soak/run-soak.ts';
import { summarize } from './soak/summarize.ts';

// The long run:
// `node scripts/run.mjs test/faults/soak.ts --kills 30 --replies 50000 [--seed N] [--examples N]`.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '30' },
    replies: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '32' },
    'kill-every-s': { type: 'string', default: '20' },
    'longest-s': { type: 'string', default: '3600' },
    examples: { type: 'string', default: '5' },
  },
});
const seed = Number(values.seed);
const report = await runSoak({
  seed,
  kills: Number(values.kills),
  replies: Number(values.replies),
  clients: Number(values.clients),
  killEveryMs: Number(values['kill-every-s']) * 1_000,
  longestMs: Number(values['longest-s']) * 1_000,
  onKill: ({ kills, complete, sent }) =>
    console.error(`kill ${kills}: ${complete} of ${sent} replies complete`),
});
console.log(summarize(report, seed, Number(values.examples)));
process.exit(report.discrepancies.length + report.contradictions.length === 0 ? 0 : 1);
