#!/usr/bin/env node
// Checks the answers for Google's clients with llm-comply: `node scripts/clients/comply.mjs`. It is installed
// from PyPI, and asks a model on each wire in each of Google's formats.
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.mjs';
import { missingPrograms } from './missing-programs.mjs';
import { runScript } from './run-script.mjs';
import { startGateway } from './start-gateway.mjs';
import { wires } from './wires.mjs';

const formats = ['google-genai', 'google-interactions'];
const RUN_TIMEOUT_MS = 120_000;
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = join(tmpdir(), 'tollgate-clients', 'llm-comply');

const missing = missingPrograms('pip');
if (missing) {
  console.error(missing);
  process.exit(2);
}
await installPackages('pip', 'python/bin/pip install --quiet --upgrade llm-comply', { folder });

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
