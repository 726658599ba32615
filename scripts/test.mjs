#!/usr/bin/env node
// Everything that has to hold: types, style, tests. Installs what is missing first, and ends with one line that counts.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRuntime } from './runtime.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const runtime = ensureRuntime({ withDevelopment: true });
const wanted = process.argv.slice(2);

/** Runs a command, shows what it prints, and gives its exit code and its text. */
function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
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
  { name: 'types', args: [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit'] },
  { name: 'style', args: [join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'] },
];

const total = { passed: 0, failed: 0, skipped: 0 };

// A few files by name are a developer's own hurry: then only they are run.
for (const { name, args } of wanted.length === 0 ? checks : []) {
  const { code } = await run(process.execPath, args);
  total[code === 0 ? 'passed' : 'failed']++;
  console.log(`${code === 0 ? 'ok' : 'FAILED'}: ${name}`);
}

const { code, text } = await run(runtime, ['test', '--timeout', '60000', ...wanted]);
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
