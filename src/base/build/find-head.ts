import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `objects` is the folder of the repository's objects. */
export type CheckedOut = { commit: string; objects: string };

/** Stands before the name of the branch in `HEAD`. Without it, `HEAD` is a commit. */
const BRANCH = 'ref: ';
const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * Reads the commit that a checkout is on, without git. Returns undefined if the folder is not the root of a
 * checkout.
 */
export function findHead(root: string): CheckedOut | undefined {
  const folder = findFolder(join(root, '.git'));
  if (folder === undefined) return undefined;
  const head = readTextOf(join(folder, 'HEAD'));
  // A worktree has its own HEAD, and shares the branches of the repository.
  const common = resolve(folder, readTextOf(join(folder, 'commondir')) ?? '.');
  const commit = head?.startsWith(BRANCH) ? commitOf(head.slice(BRANCH.length), common) : head;
  if (commit === undefined || !COMMIT.test(commit)) return undefined;
  return { commit, objects: join(common, 'objects') };
}

/** Finds the folder of git. A worktree and a submodule have a file with its path. */
function findFolder(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return path;
  const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return target === undefined ? undefined : resolve(path, '..', target);
}

/** Finds the commit of a branch, which has a file of its own or a line in the list of packed ones. */
const commitOf = (branch: string, folder: string): string | undefined =>
  readTextOf(join(folder, branch)) ??
  readTextOf(join(folder, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.endsWith(` ${branch}`))
    ?.split(' ')[0];

/** Reads a file. Returns undefined if there is none: a packed branch can leave an empty folder. */
const readTextOf = (path: string): string | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8').trim() : undefined;
