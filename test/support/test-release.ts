import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeRelease } from '../../scripts/release/make-release.ts';
import type { Platform } from '../../scripts/release/platforms.ts';
import { type ReleaseKey, readReleaseKey } from '../../scripts/release/release-key.ts';

export const root = join(import.meta.dir, '..', '..');

/** True if there is a repository to make a release from. */
export const hasRepository = Bun.spawnSync(['git', '-C', root, 'rev-parse', 'HEAD']).success;

/** A folder for releases, with a key. */
export type Workshop = {
  key: ReleaseKey;
  revision: string;
  version: string;
  /** Makes a release of the commit in a folder of this name. */
  make: (name: string, platforms: readonly Platform[]) => string;
  path: (name: string) => string;
  remove: () => void;
};

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-workshop-'));
  const path = (name: string): string => join(folder, name);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(path('key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = readReleaseKey(path('key.pem'));
  // The commit stays the same if somebody commits during the tests.
  const revision = git('rev-parse', 'HEAD').trim();
  const { version } = JSON.parse(git('show', `${revision}:package.json`)) as { version: string };
  const make = (name: string, platforms: readonly Platform[]): string => {
    const out = path(name);
    makeRelease({ root, revision, version, out, key, platforms, baseUrl: '', report: () => {} });
    return out;
  };
  return {
    key,
    revision,
    version,
    make,
    path,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const git = (...args: string[]): string => Bun.spawnSync(['git', '-C', root, ...args]).stdout.toString();

/** Runs a command and returns its exit code and output. */
export function runIn(directory: string, ...command: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { cwd: directory, env: { PATH, HOME } });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}
