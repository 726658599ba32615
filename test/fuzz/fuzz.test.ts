import { expect, setDefaultTimeout, test } from 'bun:test';
import { isLong } from '../support/is-long.ts';
import { sizeOfRun } from '../support/size-of-run.ts';
import { testSeed } from '../support/test-seed.ts';
import { fuzzEdge } from './edge/fuzz-edge.ts';
import { fuzzUpstream } from './upstream/fuzz-upstream.ts';

const INPUTS = sizeOfRun({ long: 100_000, full: 250, ordinary: 80 });
const SEED = testSeed(20_261_122);

setDefaultTimeout(isLong ? 3_600_000 : 120_000);

/**
 * Returns the findings, with the command that repeats one of them: `bun test/fuzz/fuzz.ts <fuzzer> --seed
 * <seed> --from <input> --inputs 1`.
 */
const found = ({ findings, afterwards }: Awaited<ReturnType<typeof fuzzEdge>>) => ({
  seed: SEED,
  findings,
  afterwards,
});
const nothing = { seed: SEED, findings: [], afterwards: [] };

test('the edge answers arbitrary requests and bytes without failing, hanging, leaking or keeping a hold', async () => {
  const report = await fuzzEdge({ seed: SEED, inputs: INPUTS });
  expect(found(report)).toEqual(nothing);
  expect(report.outcomes['200']).toBeGreaterThan(INPUTS / 20);
});

test('a client gets a documented answer in time, without a trace of the upstream, whatever the upstream sends', async () => {
  const report = await fuzzUpstream({ seed: SEED, inputs: INPUTS });
  expect(found(report)).toEqual(nothing);
  for (const outcome of ['whole', 'stream', 'stream, then an error', '503 upstream_unavailable'])
    expect(report.outcomes).toHaveProperty(outcome, expect.any(Number));
});
