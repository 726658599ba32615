import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { fuzzBills } from './fuzz-bills.ts';
import { fuzzHolds } from './fuzz-holds.ts';

// The long runs: `node scripts/run.mjs test/holds/fuzz.ts --tries 100000 [--seed N] [--bills]`. `--bills`:
// the whole bill is compared with the hold, on a server.

const { values } = parseArgs({
  options: {
    tries: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now()) },
    bills: { type: 'boolean', default: false },
  },
});
const options = {
  tries: Number(values.tries),
  random: seededRandom(Number(values.seed)),
  onTry: (tries: number) => {
    if (tries > 0 && tries % 10_000 === 0) console.error(`${tries} bodies so far`);
  },
};
const { faults, ...report } = values.bills ? await fuzzBills(options) : await holdsReport();
console.log(
  JSON.stringify(
    { seed: values.seed, ...report, faults: faults.length, first: faults.slice(0, 10) },
    null,
    2,
  ),
);
process.exit(faults.length === 0 ? 0 : 1);

async function holdsReport() {
  const { tooLow, ...rest } = await fuzzHolds(options);
  return { ...rest, faults: tooLow };
}
