import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOfError } from '../../base/lib/error-code.ts';
import { lookUp } from '../../base/lib/records.ts';
import { StoreProblem } from '../store-problem.ts';

const OWNER_ONLY_DIRECTORY = 0o700;
const OWNER_ONLY_FILE = 0o600;

type Wording = { what: string; hint: string };

const notADirectory: Wording = {
  what: 'is not a directory',
  hint: 'move the file at this path, or choose another data directory',
};
const notWritable: Wording = {
  what: 'cannot be written',
  hint: 'give the user of the server write access, or choose another data directory',
};
const full: Wording = { what: 'is on a full disk', hint: 'free some space' };
const wordings: Record<string, Wording> = {
  EEXIST: notADirectory,
  ENOTDIR: notADirectory,
  EACCES: notWritable,
  EPERM: notWritable,
  EROFS: {
    what: 'is on a read-only file system',
    hint: 'mount it writable or choose another data directory',
  },
  ENOSPC: full,
  EDQUOT: full,
};
const other: Wording = { what: 'cannot be used', hint: 'choose another data directory' };

/** The database of the embedded store. */
export const DATABASE_FILE = 'tollgate.db';

/** The compressed entries of closed months. */
export const ARCHIVE_FOLDER = 'archive';

/** A restore collects its files here. The folder is removed at the end. */
export const RESTORE_FOLDER = '.restore';

/** Refuses a directory without all files of its backup, since a server would add an empty database to it. */
export function refuseUnfinishedRestore(directory: string): void {
  if (!existsSync(join(directory, RESTORE_FOLDER))) return;
  throw new StoreProblem(
    `A restore into the data directory ${directory} was interrupted`,
    'empty the directory, and run the restore again',
  );
}

/**
 * The files that a server leaves beside its database. A node on Postgres leaves some of them too. An admin
 * token can be there before the first start. An interrupted first start leaves an empty lock file.
 */
const LEFT_FILES = ['settlements.spool', 'first-key', `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`];

/**
 * Returns the problem of a directory that has lost its database.
 * A start would create an empty ledger beside what is left.
 */
export function lostDatabase(directory: string): StoreProblem | undefined {
  if (existsSync(join(directory, DATABASE_FILE))) return undefined;
  const left =
    LEFT_FILES.find((name) => existsSync(join(directory, name))) ??
    (hasSegments(directory) ? ARCHIVE_FOLDER : undefined);
  if (left === undefined) return undefined;
  return new StoreProblem(
    `The data directory ${directory} has ${left}, but its database ${DATABASE_FILE} is missing`,
    'put the database back, set DATABASE_URL if it is on Postgres, or move these files away and restore a backup',
  );
}

/** Reports whether the archive has files. An empty folder can be a volume that awaits the first archive. */
function hasSegments(directory: string): boolean {
  const archive = join(directory, ARCHIVE_FOLDER);
  return existsSync(archive) && readdirSync(archive).some((name) => name.endsWith('.zst'));
}

/** Creates the directory if it does not exist. An existing directory keeps its mode. */
export function prepareDirectory(directory: string): void {
  withDirectoryProblems(directory, () => {
    mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    if (!statSync(directory).isDirectory()) throw problem(directory, notADirectory);
  });
}

/**
 * Creates an empty file, since SQLite would create one that all users can read. An existing file is not
 * opened: closing it would release all locks of this process on it.
 */
export function prepareFile(directory: string, path: string): void {
  withDirectoryProblems(directory, () => {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
    closeSync(openSync(path, 'wx', OWNER_ONLY_FILE));
  });
}

function withDirectoryProblems(directory: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    if (error instanceof StoreProblem) throw error;
    throw problem(directory, lookUp(wordings, codeOfError(error)) ?? other, error);
  }
}

function problem(directory: string, { what, hint }: Wording, cause?: unknown): StoreProblem {
  return new StoreProblem(`The data directory ${directory} ${what}`, hint, cause);
}
