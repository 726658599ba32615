#!/usr/bin/env node
// Checks types and style and runs the tests. Installs missing dependencies first. The last line has the counts.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './find-chromium.mjs';
import { ensureRuntime } from './runtime.mjs';
import { startPostgres } from './start-postgres.mjs';
import { bundleProgram, findPostgresFiles, findTestFiles, runCommand, runTestFiles } from './test-files.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const args = process.argv.slice(2);
/**
 * `--long` runs kill tests, fuzzers and soak tests at full length. `--postgres` runs all tests of servers on Postgres too, instead of a
 * sample. `--update-timings` writes the measured times.
 */
const FLAGS = ['--long', '--postgres', '--update-timings'];
const unknown = args.find((arg) => arg.startsWith('-') && !FLAGS.includes(arg));
if (unknown !== undefined) {
  console.error(`npm test: unknown option ${unknown}; it takes ${FLAGS.join(', ')} and texts of paths`);
  process.exit(2);
}
const runtime = ensureRuntime({ withDevelopment: true });
const wanted = args.filter((arg) => !FLAGS.includes(arg));

/** Most tests wait for servers, so more processes than cores keep the cores busy. */
const processes = Math.min(availableParallelism() + 2, 8);

const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
const checks = [
  { name: 'types', command: [tsc, '--noEmit'] },
  { name: 'types of the dashboard', command: [tsc, '--noEmit', '-p', 'dashboard'] },
  { name: 'style', command: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'] },
];

async function check({ name, command }) {
  const { code, text } = await runCommand(process.execPath, command, { root });
  console.log(`${text}${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

// The checks are skipped if test files are named.
const results = await Promise.all(wanted.length === 0 ? checks.map(check) : []);

const files = findTestFiles(root, wanted);
const isLong = args.includes('--long');
const shouldUpdateTimings = args.includes('--update-timings') && wanted.length === 0;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-program-'));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const startsProgram = files.some((file) => file.startsWith('test/'));
const environment = {
  ...(startsProgram ? await bundleProgram({ root, runtime, folder }) : {}),
  ...(await startPostgres(files, { root, runtime })),
  ...ensureChromium(files),
};
const options = { root, runtime, processes, isLong, environment, shouldUpdateTimings };
const tested = await runTestFiles(files, options);
const onPostgres = findPostgresFiles(root, files, { all: args.includes('--postgres') });
if (onPostgres.length > 0) {
  console.log(`On Postgres: ${onPostgres.length} files\n`);
  const store = { TOLLGATE_TEST_STORE: 'postgres' };
  tested.push(
    ...(await runTestFiles(onPostgres, {
      ...options,
      environment: { ...environment, ...store },
      shouldUpdateTimings: false,
    })),
  );
}
if (!tested.some(({ passed }) => passed > 0)) {
  console.log('FAILED: no test passed');
  if (!tested.some(({ failed }) => failed > 0)) tested.push({ passed: 0, failed: 1, skipped: 0 });
}
results.push(...tested);

const sum = (count) => results.reduce((total, result) => total + result[count], 0);
const skipped = sum('skipped');
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(sum('failed') > 0 ? 1 : 0);
