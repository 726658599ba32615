import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD_FILE, readBuild } from '../src/base/build/read-build.ts';

// Writes the commit and its date for a package, which has no repository. `npm pack` runs it before and, with
// `--remove`, after the package.
// COMMIT and COMMIT_DATE name them where there is no repository, for example in the build of an image.

const root = join(import.meta.dir, '..');
const path = join(root, BUILD_FILE);
const { COMMIT, COMMIT_DATE } = process.env;

if (process.argv.includes('--remove')) rmSync(path, { force: true });
else {
  const found = readBuild(root);
  const build = {
    commit: COMMIT ? COMMIT.slice(0, 8) : found.commit,
    date: COMMIT_DATE || (COMMIT ? undefined : found.date),
  };
  // The file of an earlier build would name a wrong commit.
  if (build.commit === undefined) rmSync(path, { force: true });
  else writeFileSync(path, `${JSON.stringify(build)}\n`);
}
