import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { formatBuild } from './format-build.ts';
import { formatDefinition } from './format-definition.ts';
import { makeDataDirectory } from './make-data-directory.ts';

// Writes the directory with which onthebench.ai measures Tollgate:
// `node scripts/run.mjs bench/onthebench/write-manifest.ts gateways --repository URL --ref TAG`.

const source = join(import.meta.dir, 'tollgate');
const template = 'config.gen.yaml.tmpl';

async function writeManifest(folder: string, repository: string, ref: string): Promise<void> {
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  mkdirSync(join(folder, 'data'), { recursive: true });
  for (const file of [template, 'why']) copyFileSync(join(source, file), join(folder, file));
  const key = await makeDataDirectory(folder, join(source, template));
  await Bun.write(join(folder, 'definition.json'), formatDefinition({ repository, key }));
  await Bun.write(join(folder, 'build.sh'), formatBuild({ repository, ref }));
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
