/** A package as package-lock.json pins it. */
export type LockedPackage = {
  /** The folder in which npm installs it, such as `node_modules/yaml`. */
  path: string;
  name: string;
  version: string;
  license: string | undefined;
  /** The SHA-512 of the package in hex. */
  sha512: string;
  isOptional: boolean;
  /** The folders of the packages that it needs. */
  needs: readonly string[];
};

type Entry = {
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

const MODULES = 'node_modules/';
const SHA512 = 'sha512-';

/** Lists the packages that the program needs when it runs, as the lock file pins them. */
export function lockedPackages(lock: { packages: Record<string, unknown> }): LockedPackage[] {
  const entries = lock.packages as Record<string, Entry>;
  return Object.entries(entries)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, entry]) => ({
      path,
      name: path.slice(path.lastIndexOf(MODULES) + MODULES.length),
      version: entry.version!,
      license: entry.license,
      sha512: hashOf(path, entry.integrity),
      isOptional: entry.optional ?? false,
      needs: needsOf(entries, path),
    }));
}

/** Returns the packages that the program itself names. */
export const directNeeds = (lock: { packages: Record<string, unknown> }): string[] =>
  needsOf(lock.packages as Record<string, Entry>, '');

function hashOf(path: string, integrity = ''): string {
  if (!integrity.startsWith(SHA512)) throw new Error(`package-lock.json has no SHA-512 of ${path}`);
  return Buffer.from(integrity.slice(SHA512.length), 'base64').toString('hex');
}

function needsOf(entries: Record<string, Entry>, path: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = entries[path]!;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => findPath(entries, path, name) ?? []).sort();
}

/** Looks for a package as Node does: below the package that needs it, then above. */
function findPath(entries: Record<string, Entry>, from: string, name: string): string | undefined {
  const candidate = `${from === '' ? '' : `${from}/`}${MODULES}${name}`;
  const entry = entries[candidate];
  if (entry !== undefined) return entry.dev ? undefined : candidate;
  if (from === '') return undefined;
  return findPath(entries, from.slice(0, Math.max(0, from.lastIndexOf(MODULES) - 1)), name);
}
