import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SourceChange } from '../load-sources.ts';
import { mutants } from './mutants.ts';

// Plants faults one after the other, and counts the seeds until a run fails:
// `node scripts/run.mjs test/simulation/mutants/find-mutants.ts`.
// With `--change FILE` it plants other faults: a JSON list of `{ file, before, after }`.

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    change: { type: 'string' },
    /** The store whose faults run. */
    store: { type: 'string', default: 'sqlite' },
  },
});
const given: SourceChange[] = values.change ? JSON.parse(readFileSync(values.change, 'utf8')) : [];
const planted = values.change
  ? given.map((change) => ({ name: `${change.file}: ${change.after}`, store: values.store, change }))
  : mutants.filter(({ name }) => name.includes(values.only));
const directory = mkdtempSync(join(tmpdir(), 'tollgate-mutants-'));
let missed = 0;
for (const { name, store, change } of planted) {
  const file = join(directory, 'change.json');
  writeFileSync(file, JSON.stringify([change]));
  const span = ['--seed', values.seed, '--seeds', values.seeds, '--failures', '1'];
  const options = ['--change', file, '--store', store, ...span];
  const child = Bun.spawnSync([process.execPath, join(import.meta.dir, '../explore.ts'), ...options]);
  const lines = child.stdout.toString().trim().split('\n');
  const last = lines.at(-1) ?? '';
  if (!last.startsWith('{')) throw new Error(`${name}: ${child.stderr}`);
  const { seeds, failed } = JSON.parse(last) as { seeds: number; failed: number };
  if (failed === 0) missed++;
  console.log(
    failed === 0 ? `MISSED  ${name}` : `${String(seeds).padStart(6)}  ${name}\n        ${lines[1]?.trim()}`,
  );
}
rmSync(directory, { recursive: true, force: true });
process.exit(missed === 0 ? 0 : 1);
