import { expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fullTest } from '../support/full-test.ts';
import { isFull } from '../support/is-full.ts';
import { isLong } from '../support/is-long.ts';
import { sizeOfRun } from '../support/size-of-run.ts';
import { testSeed } from '../support/test-seed.ts';

const ROOT = join(import.meta.dir, '../..');
/** The numbers of seeds in addition to seed 0. */
const SEEDS = sizeOfRun({ long: 2_000, full: 40, ordinary: 2 });
/** A run of several nodes costs as much as eight others. */
const NODE_SEEDS = isLong ? 300 : 3;
const FIRST = testSeed(1);

setDefaultTimeout(isLong ? 7_200_000 : 600_000);

type Report = { seeds: number; failed: number; digests: string[]; counts: Record<string, number> };

/**
 * Runs seeds in a separate process, since a simulation replaces the clock and the timers of its process.
 */
async function explore(
  seed: number,
  seeds: number,
  { root = ROOT, store = 'sqlite' } = {},
): Promise<{ output: string; report: Report }> {
  const program = join(root, 'test/simulation/explore.ts');
  const command = [
    process.execPath,
    program,
    '--seed',
    String(seed),
    '--seeds',
    String(seeds),
    '--store',
    store,
  ];
  const child = Bun.spawn(command, { cwd: tmpdir(), stdout: 'pipe', stderr: 'pipe' });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  const lines = output.trim().split('\n');
  const last = lines.pop() ?? '';
  if (!last.startsWith('{')) throw new Error(`${output}\n${errors}`);
  return { output: lines.join('\n'), report: JSON.parse(last) };
}

let explored: ReturnType<typeof explore> | undefined;
const firstSeeds = () => {
  explored ??= explore(FIRST, SEEDS);
  return explored;
};

test('the gateway keeps its promises through the faults of simulated runs [G1] [G2] [G3] [G4]', async () => {
  const { output, report } = await firstSeeds();
  expect(output).toBe('');
  expect(report).toMatchObject({ seeds: SEEDS, failed: 0 });
  const reached = [
    'answered',
    // A few seeds recover nothing.
    ...(isFull ? ['recovered'] : []),
    'left',
    'cut',
    'crashes',
    'item succeeded',
    'stored',
    'movements',
    'native batches',
    'background completed',
    'turns',
    '402',
    '429',
    '503',
  ];
  expect(reached.filter((name) => !report.counts[name])).toEqual([]);
});

fullTest(
  'several nodes on one database keep the promises through the faults of simulated runs [G1] [G2] [G3] [G4]',
  async () => {
    const { output, report } = await explore(FIRST, NODE_SEEDS, { store: 'postgres' });
    expect(output).toBe('');
    expect(report).toMatchObject({ seeds: NODE_SEEDS, failed: 0 });
    expect(['answered', 'charges'].filter((name) => !report.counts[name])).toEqual([]);
  },
);

test.if(isLong)('a seed of several nodes runs in the same way in another process', async () => {
  const alone = await explore(FIRST + 2, 1, { store: 'postgres' });
  const behind = await explore(FIRST, 3, { store: 'postgres' });
  expect(behind.report.digests[2]).toBe(alone.report.digests[0]!);
});

fullTest('a seed runs in the same way in another clone', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'tollgate-clone-'));
  try {
    for (const folder of [
      'src',
      'test/simulation',
      'test/support/entries-sql.ts',
      'test/faults/read-ledger.ts',
      'test/faults/nodes-kill/read-postgres-ledger.ts',
      'docs/tollgate.schema.json',
      'package.json',
    ])
      cpSync(join(ROOT, folder), join(clone, folder), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    // A process that has run other seeds before must not run this one differently.
    const [alone, behind] = await Promise.all([explore(FIRST + 2, 1, { root: clone }), firstSeeds()]);
    expect(alone.report.digests).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(behind.report.digests[2]).toBe(alone.report.digests[0]!);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
});
