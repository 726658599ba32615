import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitDate } from './commit-date.ts';
import { findHead } from './find-head.ts';

/** `date` is the day on which the commit was made (UTC). */
export type Build = { commit?: string; date?: string };

/** The file that a package has instead of a repository. `npm pack` writes it. */
export const BUILD_FILE = 'build.json';

const COMMIT_LETTERS = 8;

/** Finds out which commit the program in a folder was built from. */
export function readBuild(root: string): Build {
  try {
    const head = findHead(root);
    if (head === undefined) return readFile(join(root, BUILD_FILE));
    return { commit: head.commit.slice(0, COMMIT_LETTERS), ...dateOf(() => commitDate(head)) };
  } catch {
    // A repository in an unknown form must not prevent a start.
    return {};
  }
}

const readFile = (path: string): Build =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Build) : {};

/** The commit is known even where its object is missing or damaged. */
function dateOf(read: () => string | undefined): { date?: string } {
  try {
    const date = read();
    return date === undefined ? {} : { date };
  } catch {
    return {};
  }
}
