#!/usr/bin/env node
// Compares the signatures for clouds with the vendors' own libraries in Python: `npm run check:clouds`.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRuntime } from './runtime.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'clouds');
/** The modules that the comparison imports, by their packages. */
const modulesByPackage = {
  botocore: 'botocore',
  'google-auth': 'google.auth',
  'azure-identity': 'azure.identity',
  pyjwt: 'jwt',
  cryptography: 'cryptography',
};

const isRecent = 'import sys; sys.exit(sys.version_info < (3, 10))';
const python = ['python3', 'python'].find((name) => spawnSync(name, ['-c', isRecent]).status === 0);
if (python === undefined) fail('Python 3.10 or later is missing.');
const importAll = `import ${Object.values(modulesByPackage).join(', ')}`;
if (spawnSync(python, ['-c', importAll]).status !== 0) {
  const packages = Object.keys(modulesByPackage).join(' ');
  fail(`Python packages are missing. Install them with: ${python} -m pip install ${packages}`);
}

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
