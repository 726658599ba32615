#!/usr/bin/env node
// Compares the signatures for clouds with the vendors' own libraries in Python: `npm run check:clouds`.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRuntime } from './runtime.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'clouds');
const PACKAGES = 'botocore google-auth azure-identity pyjwt cryptography';

const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
if (python === undefined) fail('Python is missing. Install Python 3.10 or later.');
const modules = 'import botocore, google.auth, azure.identity, jwt, cryptography';
if (spawnSync(python, ['-c', modules]).status !== 0)
  fail(`Packages of Python are missing. Install them with: ${python} -m pip install ${PACKAGES}`);

const samples = spawnSync(ensureRuntime({ withDevelopment: true }), [join(folder, 'make-samples.ts')], {
  encoding: 'utf8',
});
if (samples.status !== 0) fail(samples.stderr);
const compared = spawnSync(python, [join(folder, 'compare.py')], {
  input: samples.stdout,
  stdio: ['pipe', 'inherit', 'inherit'],
});
process.exit(compared.status ?? 1);

function fail(message) {
  console.error(message);
  process.exit(1);
}
