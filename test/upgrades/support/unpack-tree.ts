import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..', '..');

/** Reports whether the repository has this commit. A shallow clone lacks earlier ones. */
export const hasCommit = (commit: string): boolean =>
  Bun.which('git') !== null &&
  Bun.spawnSync(['git', 'cat-file', '-e', `${commit}^{commit}`], { cwd: root }).exitCode === 0;

/** Writes the source tree of a commit to a folder, with the packages of this one. */
export function unpackTree(commit: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', 'archive', commit], { cwd: root });
  if (exitCode !== 0) throw new Error(`the repository has no commit ${commit}: ${stderr}`);
  const unpacked = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: stdout });
  if (unpacked.exitCode !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
