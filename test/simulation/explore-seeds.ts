import { existsSync, readdirSync } from 'node:fs';
import { loadProgram } from './gateway/load-program.ts';
import { makeTemplate } from './gateway/make-template.ts';
import type { StoreKind } from './gateway/store-kind.ts';
import { runSeed } from './run-seed.ts';

export type Exploration = {
  first: number;
  count: number;
  store: StoreKind;
  maxFailures: number;
  isTraced: boolean;
};

const PROGRESS_EVERY = 500;
const MAX_SHOWN_DIGESTS = 10;
/** Each process begins with this seed, since its first run loads what later runs find loaded. */
const FIRST_OF_ALL = 0;

/** The descriptors that a run may leave open, which belong to the runtime. */
const MAX_LEFT_OPEN = 50;

/** The number of open descriptors. It is 0 where the system does not show it. */
const countOpenFiles = (): number => (existsSync(DESCRIPTORS) ? readdirSync(DESCRIPTORS).length : 0);
const DESCRIPTORS = '/proc/self/fd';

/**
 * A file that stays open keeps its space in memory after its deletion.
 * Thousands of runs would fill the machine.
 */
function refuseOpenFiles(openAtFirst: number): void {
  const left = countOpenFiles() - openAtFirst;
  if (left > MAX_LEFT_OPEN) throw new Error(`the runs have left ${left} files open`);
}

/**
 * Runs seed 0 and then the given seeds, one after the other. Prints a line for each that failed and one for
 * all. Reports whether all have passed.
 */
export async function exploreSeeds({
  first,
  count,
  store,
  maxFailures,
  isTraced,
}: Exploration): Promise<boolean> {
  const loaded = await loadProgram(store);
  const { program } = loaded;
  const template = await makeTemplate(loaded);
  const counts: Record<string, number> = {};
  const digests: string[] = [];
  let failed = 0;
  let seed = first;
  const run = async (seed: number, shows?: (line: string) => void): Promise<string> => {
    const report = await runSeed({ seed, template, program, shows });
    for (const [name, value] of Object.entries(report.counts)) counts[name] = (counts[name] ?? 0) + value;
    if (report.failures.length > 0) {
      failed++;
      console.log(
        `seed ${seed} failed (digest ${report.digest}): npm run explore -- --store ${store} --seed ${seed} --trace`,
      );
      for (const failure of report.failures) console.log(`  ${failure}`);
    }
    return report.digest;
  };
  try {
    await run(FIRST_OF_ALL);
    const openAtFirst = countOpenFiles();
    for (; seed < first + count && failed < maxFailures; seed++) {
      digests.push(await run(seed, isTraced ? console.log : undefined));
      refuseOpenFiles(openAtFirst);
      if ((seed + 1 - first) % PROGRESS_EVERY === 0) console.error(`${seed + 1 - first} seeds so far`);
    }
  } finally {
    template.remove();
  }
  const shown = digests.slice(0, MAX_SHOWN_DIGESTS);
  console.log(JSON.stringify({ seeds: seed - first, failed, digests: shown, counts }));
  return failed === 0;
}
