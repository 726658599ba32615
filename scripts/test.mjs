#!/usr/bin/env node
// Checks types and style and runs the tests. Installs missing dependencies first.
// The last line has the counts.
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchBrowsers } from './browser-costs.mjs';
import { divideFailed } from './divide-failed.mjs';
import { ensureChromium } from './find-chromium.mjs';
import { formatCosts, formatCounts, formatFaults } from './report-tests.mjs';
import { bundleProgram, runJobs } from './run-tests.mjs';
import { ensureRuntime } from './runtime.mjs';
import { startPostgres } from './start-postgres.mjs';
import {
  findPostgresFiles,
  findTestFiles,
  groupFiles,
  readTimings,
  separate,
  writeTimings,
} from './test-files.mjs';
import { makeTestFolder } from './test-folder.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
/**
 * `--full` also runs the files of `test/full-files.json`, and checks each page in each form, and more inputs.
 * `--long` also runs kill tests, fuzzers and soak tests at full length.
 * `--postgres` runs all tests of servers on Postgres too, instead of a sample.
 * `--costs` shows what each group and file costs. `--update-timings` writes the measured times.
 */
const FLAGS = ['--full', '--long', '--postgres', '--costs', '--update-timings'];
const unknown = args.find((arg) => arg.startsWith('-') && !FLAGS.includes(arg));
if (unknown !== undefined) {
  console.error(`npm test: unknown option ${unknown}; it takes ${FLAGS.join(', ')} and texts of paths`);
  process.exit(2);
}
const runtime = ensureRuntime({ withDevelopment: true });
const wanted = args.filter((arg) => !FLAGS.includes(arg));
const isLong = args.includes('--long');
const isFull = isLong || args.includes('--full');

/** Most tests wait for servers a third of their time, so more processes than cores keep the cores busy. */
const processes = Math.min(availableParallelism() + 4, 10);

/**
 * Several checkers would each check the types of the packages, for twice the CPU time. A later run reads what
 * the one before has found out, for a fifth of it.
 */
const checkTypes = (name) => [
  join('node_modules', 'typescript', 'bin', 'tsc'),
  '--noEmit',
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  join('node_modules', '.cache', 'tollgate', `${name}.tsbuildinfo`),
];
const checks = [
  { name: 'types', command: checkTypes('types') },
  { name: 'types of the dashboard', command: [...checkTypes('dashboard'), '-p', 'dashboard'] },
  { name: 'style', command: [join('scripts', 'check-style.mjs')] },
];

if (args.includes('--costs')) watchBrowsers();
const files = findTestFiles(root, wanted, { isFull });
const folder = makeTestFolder();
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const startsProgram = files.some((file) => file.startsWith('test/'));
// The checks need no server, so they use the core that is idle meanwhile.
// They are skipped if test files are named.
const checked = runJobs(wanted.length === 0 ? checks : [], { root, processes: 1 });
const [bundled, postgres] = await Promise.all([
  startsProgram ? bundleProgram({ root, runtime, folder }) : {},
  startPostgres(files, { root, runtime }),
]);
const options = {
  root,
  runtime,
  isFull,
  isLong,
  environment: { TMPDIR: folder, ...bundled, ...postgres.environment, ...ensureChromium(files) },
};

const timeOf = readTimings(root);
const embedded = groupFiles(files, { timeOf });
const shouldUpdateTimings = args.includes('--update-timings') && wanted.length === 0;
const onPostgres = findPostgresFiles(root, files, { all: args.includes('--postgres') });
const tests = [
  ...(shouldUpdateTimings ? embedded.flatMap(separate) : embedded),
  ...groupFiles(onPostgres, { timeOf, store: 'postgres' }),
].sort((a, b) => b.ms - a.ms);
const first = (await Promise.all([checked, runJobs(tests, { ...options, processes })])).flat();
if (shouldUpdateTimings)
  writeTimings(
    root,
    first.filter(({ store }) => store === 'embedded'),
  );

/**
 * Tests that failed run once more, without anything beside them. Some tests bound durations, and other work
 * on the machine can exceed a bound once. The second result replaces the first one.
 */
const hasFailed = ({ failed }) => failed > 0;
const divided = first.filter(hasFailed).map(divideFailed);
const again = divided.flatMap((job) => job.again);
if (again.length > 0) console.log(`Running again, one at a time: ${again.length} of what failed\n`);
const second = await runJobs(again, { ...options, processes: 1 });
const kept = divided.flatMap((job) => job.kept);
const results = [...first.filter((job) => !hasFailed(job)), ...kept, ...second];
if (!results.some(({ files, passed }) => files && passed > 0) && !results.some(hasFailed))
  results.push({ name: 'no test passed', passed: 0, failed: 1, skipped: 0, faults: [], cpuMs: 0 });

const postgresMs = await postgres.stop();
if (args.includes('--costs'))
  console.log(formatCosts([...first, { name: 'the shared Postgres', passed: 0, cpuMs: postgresMs, ms: 0 }]));
const recovered = second.filter((job) => !hasFailed(job));
console.log(`${formatFaults(recovered, results.filter(hasFailed))}\n${formatCounts(results)}`);
process.exit(results.some(hasFailed) ? 1 : 0);
