#!/usr/bin/env node
// Checks types and style and runs the tests. Installs missing dependencies first. The last line has the counts.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRuntime } from './runtime.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const runtime = ensureRuntime({ withDevelopment: true });
const args = process.argv.slice(2);
/** `--long` runs kill tests, fuzzers and soak tests at full length. */
const isLong = args.includes('--long');
const wanted = args.filter((arg) => arg !== '--long');

/** Most tests wait for servers, so three processes keep two cores busy. */
const PROCESSES = 3;
/** The measured times of the test files. The longest ones start first. */
const TIMINGS = join('test', 'timings.json');

/** Runs a command, prints its output, and returns its exit code and output. */
function run(command, parameters) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...(isLong && { TOLLGATE_TEST_LONG: '1' }) };
    const child = spawn(command, parameters, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk;
        process.stdout.write(chunk);
      });
    }
    child.on('error', (error) => resolve({ code: 1, text: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

const checks = [
  { name: 'types', command: [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit'] },
  { name: 'style', command: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'] },
];

const total = { passed: 0, failed: 0, skipped: 0 };

// The checks are skipped if test files are named.
for (const { name, command } of wanted.length === 0 ? checks : []) {
  const { code } = await run(process.execPath, command);
  total[code === 0 ? 'passed' : 'failed']++;
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
}

const parallel = wanted.length === 0 ? [`--parallel=${PROCESSES}`, `--timings=${TIMINGS}`] : [];
const { code, text } = await run(runtime, ['test', '--timeout', '60000', ...parallel, ...wanted]);
const counted = (word) => Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0);
total.passed += counted('pass');
total.failed += counted('fail');
total.skipped += counted('skip') + counted('todo');
if (code !== 0 && counted('fail') === 0) total.failed++;
if (counted('pass') === 0) total.failed++;

console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
);
process.exit(total.failed > 0 ? 1 : 0);
