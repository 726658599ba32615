import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** `objects` is the folder of the repository's objects. */
export type CheckedOut = { commit: string; objects: string };

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/**
 * Reads the commit that a checkout is on, without git.
 * Returns undefined if the folder is not the root of a checkout.
 */
export function findHead(root: string): CheckedOut | undefined {
  const folder = findFolder(join(root, '.git'));
  if (folder === undefined) return undefined;
  const head = readTextOf(join(folder, 'HEAD'));
  // A worktree has its own HEAD, and shares the branches of the repository.
  const common = resolve(folder, readTextOf(join(folder, 'commondir')) ?? '.');
  const name = head?.startsWith('ref: ') ? head.slice('ref: '.length) : undefined;
  const commit =
    name === undefined
      ? head
      : (readTextOf(join(common, name)) ?? commitIn(join(common, 'packed-refs'), name));
  if (commit === undefined || !COMMIT.test(commit)) return undefined;
  return { commit, objects: join(common, 'objects') };
}

/** Finds the folder of git. A worktree and a submodule have a file with its path. */
function findFolder(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory()) return stats && path;
  const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
  return target === undefined ? undefined : resolve(path, '..', target);
}

/** Finds the commit of a branch in the list of packed ones. */
const commitIn = (path: string, name: string): string | undefined =>
  readTextOf(path)
    ?.split('\n')
    .find((line) => line.endsWith(` ${name}`))
    ?.split(' ')[0];

const readTextOf = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
