#!/usr/bin/env node
// Checks the answers for Google's clients with llm-comply: `node scripts/clients/comply.mjs`. It is installed
// from PyPI, and asks a model on each wire in each of Google's formats.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tools } from './clients-table.mjs';
import { INSTALL_TIMEOUT_MS, preparations } from './installations.mjs';
import { runScript } from './run-script.mjs';
import { startGateway } from './start-gateway.mjs';
import { wires } from './wires.mjs';

const formats = ['google-genai', 'google-interactions'];
const RUN_TIMEOUT_MS = 120_000;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = join(tmpdir(), 'tollgate-clients', 'llm-comply');

const { programs, source } = tools.pip;
const missing = programs.filter((program) => spawnSync('bash', ['-c', `command -v ${program}`]).status !== 0);
if (missing.length > 0) {
  console.error(`${missing.join(' and ')} is missing: install ${source}.`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const install = `${preparations.pip}\npython/bin/pip install --quiet --upgrade llm-comply`;
const installed = await runScript(install, {
  folder,
  environment: process.env,
  timeoutMs: INSTALL_TIMEOUT_MS,
});
if (installed.code !== 0) throw new Error(`llm-comply cannot be installed:\n${installed.output}`);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
// A check expects that the model calls a tool by itself.
const gateway = await startGateway(root, {}, 'simulated!call-tools=true');
try {
  const runs = formats.flatMap((format) => wires.map((wire) => ({ format, ...wire })));
  for (const { format, id, model } of runs) {
    const options = `--format ${format} --auth-header x-goog-api-key --no-bearer`;
    const script = `python/bin/llm-comply -u ${gateway.url} -k ${gateway.key} -m ${model} ${options}`;
    const { code, output } = await runScript(script, {
      folder,
      environment: process.env,
      timeoutMs: RUN_TIMEOUT_MS,
    });
    const result = /Results: (.*)/.exec(output)?.[1] ?? `ended with ${code}`;
    console.log(`${format.padEnd(20)} ${id.padEnd(13)} ${result}`);
    if (code === 0 && !result.includes('failed')) continue;
    console.log(output);
    process.exitCode = 1;
  }
} finally {
  await gateway.stop();
}
