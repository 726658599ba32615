import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { fuzzHolds } from './fuzz-holds.ts';

// The long run: `node scripts/run.mjs test/holds/fuzz.ts --tries 100000 [--seed N]`.

const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now()) },
  },
});
const report = await fuzzHolds({
  tries: Number(values.tries),
  random: seededRandom(Number(values.seed)),
  onTry: (tries) => {
    if (tries > 0 && tries % 10_000 === 0) console.error(`${tries} bodies so far`);
  },
});
const { tooLow } = report;
console.log(
  JSON.stringify(
    { seed: values.seed, ...report, tooLow: tooLow.length, first: tooLow.slice(0, 10) },
    null,
    2,
  ),
);
process.exit(tooLow.length === 0 ? 0 : 1);
