import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const CHROOT = Bun.which('chroot');
const UNSHARE = Bun.which('unshare');

/** A kill of the first process ends all processes of the root. */
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child'];

/** True if this process can make a separate root directory and run programs in it. */
export const canMakeBareRoot =
  process.platform === 'linux' &&
  CHROOT !== null &&
  UNSHARE !== null &&
  Bun.spawnSync([UNSHARE, ...NAMESPACES, 'true']).success;

/**
 * Enters the root. The runtime needs /proc.
 * The mount is seen by this command alone, so nothing has to be unmounted.
 */
const ENTER =
  'mount --bind /proc "$1/proc" && root=$1 directory=$2 && shift 2 && exec "$CHROOT" "$root" /bin/sh -c \'cd "$0" && exec "$@"\' "$directory" "$@"';

/** The programs of a small Linux system. */
const PROGRAMS =
  'sh uname id mkdir mktemp cp rm mv ln chmod tar gzip sha256sum cat dirname readlink env sleep'.split(' ');
/** The files of /etc that programs need to reach a registry. */
const NETWORK_FILES = ['/etc/resolv.conf', '/etc/hosts', '/etc/ssl/certs/ca-certificates.crt'];

export type BareRoot = {
  path: string;
  spawn: (command: readonly string[], directory?: string) => Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  remove: () => void;
};

/**
 * Makes a root directory that has a shell, a few small programs and the C library, and nothing of this
 * repository. `programs` are added with the libraries that they load.
 */
export function makeBareRoot(programs: readonly string[]): BareRoot {
  const path = mkdtempSync(join(tmpdir(), 'tollgate-root-'));
  for (const folder of ['dev', 'proc', 'root', 'tmp', 'usr/bin', 'usr/local/bin', 'release'])
    mkdirSync(join(path, folder), { recursive: true });
  symlinkSync('usr/bin', join(path, 'bin'));
  chmodSync(join(path, 'tmp'), 0o1777);
  for (const [name, minor] of [
    ['null', '3'],
    ['urandom', '9'],
  ] as const)
    Bun.spawnSync(['mknod', '-m', '666', join(path, 'dev', name), 'c', '1', minor]);
  for (const program of [...PROGRAMS, ...programs]) addProgram(path, program);
  for (const file of NETWORK_FILES) if (existsSync(file)) copyWithFolders(file, path);
  return {
    path,
    spawn: (command, directory = '/') =>
      Bun.spawn([UNSHARE!, ...NAMESPACES, '/bin/sh', '-c', ENTER, 'sh', path, directory, ...command], {
        env: { ...environmentOf(process.env), CHROOT: CHROOT! },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      }),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The certificates of a proxy between this machine and the registry are needed in the root too. */
function environmentOf({ NODE_EXTRA_CA_CERTS }: NodeJS.ProcessEnv): Record<string, string> {
  const base = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' };
  return NODE_EXTRA_CA_CERTS ? { ...base, NODE_EXTRA_CA_CERTS } : base;
}

function addProgram(root: string, name: string): void {
  const file = realpathSync(Bun.which(name) ?? name);
  copyFileSync(file, join(root, 'usr/bin', basename(name)));
  addLibraries(root, file);
}

/** Copies the libraries that a program loads. */
export function addLibraries(root: string, file: string): void {
  const { stdout } = Bun.spawnSync(['ldd', file]);
  for (const [library] of stdout.toString().matchAll(/\/\S+/g))
    if (!library.endsWith(':') && existsSync(library)) copyWithFolders(library, root);
}

function copyWithFolders(file: string, root: string): void {
  const target = join(root, file);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(realpathSync(file), target);
}

/** Adds Node and npm. */
export function addNode(root: string): void {
  addProgram(root, realpathSync(Bun.which('node')!));
  const npm = join(dirname(realpathSync(Bun.which('npm')!)), '..');
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name));
}
