#!/usr/bin/env node
// Runs a TypeScript program of this repository: `node scripts/run.mjs FILE [arguments]`.
// Installs missing dependencies first.
import { spawn } from 'node:child_process';
import { ensureRuntime } from './runtime.mjs';

const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run.mjs FILE [arguments]');
  process.exit(2);
}
const child = spawn(ensureRuntime({ withDevelopment: true }), [file, ...args], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
