#!/usr/bin/env node
// Checks the style of the files that have changed since they were last found to be sound.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const biome = join('node_modules', '@biomejs', 'biome');
/** A new installation of the packages begins without it. */
const KNOWN = join(root, 'node_modules', '.cache', 'tollgate', 'style.json');
/** A whole check needs less time than the start of a command with more paths. */
const MAX_PATHS = 500;

const textOf = (path) => readFileSync(join(root, path), 'utf8');
const hashOf = (text) => createHash('sha1').update(text).digest('base64');

/** Lists the files that the repository has or could have. Returns undefined without git. */
function listFiles() {
  const parameters = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = spawnSync('git', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 });
  return listed.status === 0 ? listed.stdout.split('\0').filter(Boolean) : undefined;
}

/** Returns the hash of each file. A deleted file that git still lists is left out. */
function hashFiles(paths) {
  const hashes = {};
  for (const path of paths) {
    try {
      hashes[path] = hashOf(readFileSync(join(root, path)));
    } catch {
      // It was deleted.
    }
  }
  return hashes;
}

/** Returns the hashes of the files that were sound under the same rules. */
function readKnown(rules) {
  try {
    const known = JSON.parse(readFileSync(KNOWN, 'utf8'));
    return known.rules === rules ? known.hashes : {};
  } catch {
    return {};
  }
}

const rules = hashOf(textOf('biome.json') + textOf('.gitignore') + textOf(join(biome, 'package.json')));
const hashes = hashFiles(listFiles() ?? []);
const known = readKnown(rules);
const changed = Object.keys(hashes).filter((path) => hashes[path] !== known[path]);
const isWhole = Object.keys(hashes).length === 0 || changed.length > MAX_PATHS;
const quietly = ['--files-ignore-unknown=true', '--no-errors-on-unmatched'];
const parameters = [join(biome, 'bin', 'biome'), 'check', ...(isWhole ? ['.'] : [...quietly, ...changed])];
const isSound =
  (changed.length === 0 && !isWhole) ||
  spawnSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' }).status === 0;
if (isSound) {
  mkdirSync(dirname(KNOWN), { recursive: true });
  writeFileSync(KNOWN, JSON.stringify({ rules, hashes }));
}
process.exit(isSound ? 0 : 1);
