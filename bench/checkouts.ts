import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keysOf } from '../src/base/lib/records.ts';
import { compareCheckouts } from './checkouts/compare-checkouts.ts';
import { formatCheckoutReport } from './checkouts/format-checkout-report.ts';
import { parseList } from './parse-list.ts';
import { scenarios } from './scenarios.ts';

// Compares the gateway of this checkout with that of another one, in the same rounds:
// `node scripts/run.mjs bench/checkouts.ts --other DIR [--rounds 12] [--scenario unary,agent]`.
const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '6' },
    connections: { type: 'string', default: '32' },
    scenario: { type: 'string', default: 'unary,agent,stream,translated' },
  },
});
if (values.other === undefined) {
  console.error('bench: --other names the folder of the checkout to compare with');
  process.exit(2);
}
const measurements = await compareCheckouts({
  other: resolve(values.other),
  scenarios: parseList(values.scenario, keysOf(scenarios)),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmUpSeconds: Number(values['warm-up']),
  connections: Number(values.connections),
});
console.log(formatCheckoutReport(measurements));
process.exit(0);
