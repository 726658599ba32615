import { parseArgs } from 'node:util';
import { testSeed } from '../support/test-seed.ts';
import { fuzzEdge } from './edge/fuzz-edge.ts';
import type { FuzzOptions, FuzzReport } from './fuzz-report.ts';
import { fuzzUpstream } from './upstream/fuzz-upstream.ts';

// The fuzzers as a program: `bun test/fuzz/fuzz.ts upstream --inputs 100000 [--seed N] [--from N]`.

const fuzzers: Record<string, (options: FuzzOptions) => Promise<FuzzReport>> = {
  edge: fuzzEdge,
  upstream: fuzzUpstream,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(testSeed(Date.now())) },
    from: { type: 'string', default: '0' },
  },
});
const fuzz = fuzzers[positionals[0] ?? ''];
if (!fuzz) throw new Error(`Name a fuzzer: ${Object.keys(fuzzers).join(' or ')}.`);
const report = await fuzz({
  inputs: Number(values.inputs),
  seed: Number(values.seed),
  from: Number(values.from),
  onInput: (input) => {
    if (input > 0 && input % 5_000 === 0) console.error(`${input} inputs so far`);
  },
});
console.log(JSON.stringify({ seed: values.seed, ...report }, null, 2));
process.exit(report.findings.length + report.afterwards.length === 0 ? 0 : 1);
