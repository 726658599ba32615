import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitDate } from './commit-date.ts';
import { type CheckedOut, findHead } from './find-head.ts';

export type Build = {
  commit?: string;
  /** The day on which the commit was made (UTC). */
  date?: string;
  /** The public key that verifies releases: base64 of 32 bytes. Only a package of a release has it. */
  releaseKey?: string;
};

/** The file that a package has instead of a repository. `npm pack` writes it. */
export const BUILD_FILE = 'build.json';

const COMMIT_LETTERS = 8;

/** Finds out which commit the program in a folder was built from. */
export function readBuild(root: string): Build {
  try {
    const head = findHead(root);
    if (head === undefined) return readBuildFile(join(root, BUILD_FILE));
    const date = dateOfHead(head);
    return { commit: head.commit.slice(0, COMMIT_LETTERS), ...(date !== undefined && { date }) };
  } catch {
    // A repository in an unknown form must not prevent a start.
    return {};
  }
}

/** Reads the file of a package, which its release has written. */
const readBuildFile = (path: string): Build =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Build) : {};

/** Returns the day of the commit, or undefined if its object is missing or damaged. */
function dateOfHead(head: CheckedOut): string | undefined {
  try {
    return commitDate(head);
  } catch {
    return undefined;
  }
}
