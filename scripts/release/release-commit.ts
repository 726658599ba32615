/**
 * The commit that a release is made from. Everything in a release depends on it alone, and on the public key.
 */
export type ReleaseCommit = {
  id: string;
  /** Seconds since 1970. Each file of a release has this time. */
  timeSeconds: number;
  /** The time of the commit in ISO 8601, in UTC. */
  time: string;
};

/** The files that a release is made of. Tests and benchmarks are most of the repository. */
const SOURCES = [
  'bin',
  'dashboard',
  'deploy',
  'docs',
  'scripts',
  'src',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'package.json',
  'package-lock.json',
  'bench/README.md',
  'bench/onthebench/README.md',
];

/** Reads a commit. `HEAD` is the checked-out commit. */
export function readReleaseCommit(root: string, revision: string): ReleaseCommit {
  const [id, seconds] = git(root, 'show', '--no-patch', '--format=%H %ct', revision).split(' ');
  const timeSeconds = Number(seconds);
  return { id: id!, timeSeconds, time: new Date(timeSeconds * 1_000).toISOString() };
}

/** Lists files that differ from the commit. They are not part of the release. */
export const changedFiles = (root: string): string[] =>
  git(root, 'status', '--porcelain', '--untracked-files=no').split('\n').filter(Boolean);

/** Writes the sources of the commit into a folder. */
export function exportCommit(root: string, commit: ReleaseCommit, folder: string): void {
  const archive = Bun.spawnSync(['git', '-C', root, 'archive', '--format=tar', commit.id, ...SOURCES]);
  if (!archive.success) throw new Error(`git archive failed: ${archive.stderr}`);
  const unpacked = Bun.spawnSync(['tar', '-xf', '-', '-C', folder], { stdin: archive.stdout });
  if (!unpacked.success) throw new Error(`tar failed: ${unpacked.stderr}`);
}

function git(root: string, ...args: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(['git', '-C', root, ...args]);
  if (!success) throw new Error(`git ${args[0]} failed: ${stderr.toString().trim()}`);
  return stdout.toString().trim();
}
