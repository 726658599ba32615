import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ChildProcesses } from '../child-processes.ts';
import { findFreePort } from '../find-free-port.ts';
import { buildGatewayCommand, createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { formatBuild, formatDefinition, model, renderTemplate } from './format-manifest.ts';

// Writes the directory with which onthebench.ai measures Tollgate:
// `node scripts/run.mjs bench/onthebench/write-manifest.ts gateways --repository URL --ref TAG`.

const source = join(import.meta.dir, 'tollgate');
const template = 'config.gen.yaml.tmpl';
/** A start makes these files again. */
const transient = ['address', 'admin-token', 'first-key', 'settlements.spool', 'tollgate.lock'];

/** Starts Tollgate on the data directory of the manifest, and returns the key of a new account. */
async function makeData(folder: string): Promise<string> {
  const children = new ChildProcesses();
  const configurationFile = join(folder, 'config.gen.yaml');
  const logFile = join(folder, 'log');
  const text = await Bun.file(join(source, template)).text();
  await Bun.write(configurationFile, renderTemplate(text, { MOCK_PORT: '8000', GW_MODEL: model }));
  const port = findFreePort();
  const token = crypto.randomUUID();
  const settings = { port, dataDirectory: join(folder, 'data'), configurationFile, workers: 1 };
  try {
    const child = children.start({
      command: buildGatewayCommand(settings),
      logFile,
      environment: { TOLLGATE_ADMIN_TOKEN: token },
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
    return await createKey(url, token);
  } finally {
    await children.stopAll();
    const made = transient.map((name) => join(folder, 'data', name));
    for (const file of [configurationFile, logFile, ...made]) rmSync(file, { force: true });
  }
}

async function writeManifest(folder: string, repository: string, ref: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  mkdirSync(join(folder, 'data'), { recursive: true });
  for (const file of [template, 'why']) copyFileSync(join(source, file), join(folder, file));
  const subject = { repository, ref, key: await makeData(folder) };
  await Bun.write(join(folder, 'definition.json'), formatDefinition(subject));
  await Bun.write(join(folder, 'build.sh'), formatBuild(subject));
  chmodSync(join(folder, 'build.sh'), 0o755);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string' }, ref: { type: 'string' } },
});
const { repository, ref } = values;
if (positionals.length !== 1 || repository === undefined || ref === undefined) {
  console.error('usage: write-manifest.ts GATEWAYS_FOLDER --repository URL --ref TAG');
  process.exit(2);
}
const folder = join(resolve(positionals[0]!), 'tollgate');
try {
  await writeManifest(folder, repository, ref);
  console.log(folder);
  process.exit(0);
} catch (error) {
  console.error(`write-manifest: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
