import { SQLiteError } from 'bun:sqlite';
import { StoreProblem } from '../store-problem.ts';

type Wording = { what: (path: string) => string; hint: string };

const readOnly: Wording = {
  what: (path) => `${path} cannot be written`,
  hint: 'give the user of the server write access, or choose another data directory',
};
const full: Wording = {
  what: (path) => `There is no space left for ${path}`,
  hint: 'free some space on its disk',
};
const damaged: Wording = {
  what: (path) => `${path} is not an intact database`,
  hint: 'restore it from a backup; the server has changed nothing in it',
};

/**
 * Wordings by the first part of SQLite's result code: SQLITE_IOERR includes SQLITE_IOERR_FSYNC and its other
 * variants.
 */
const wordings: Record<string, Wording> = {
  FULL: full,
  READONLY: readOnly,
  PERM: readOnly,
  AUTH: readOnly,
  CANTOPEN: {
    what: (path) => `${path} cannot be opened`,
    hint: 'check that it is a file that the user of the server can read and write',
  },
  CORRUPT: damaged,
  NOTADB: damaged,
  IOERR: {
    what: (path) => `The disk failed while ${path} was read or written`,
    hint: 'check the disk and the system log',
  },
  BUSY: {
    what: (path) => `Another program keeps ${path} locked`,
    hint: 'close the program that has it open for writing',
  },
  PROTOCOL: {
    what: (path) => `The locks on ${path} do not work`,
    hint: 'put the data directory on a local disk: network file systems cannot hold it',
  },
  NOMEM: {
    what: (path) => `The server ran out of memory while it used ${path}`,
    hint: 'give the server more memory',
  },
};

/** The index of the log could not grow, which a start on a full disk meets first. */
const FULL_FOR_INDEX = 'SQLITE_IOERR_SHMSIZE';

/**
 * Returns the cause of an SQLite error.
 * Returns undefined if the statement is at fault, for example by a constraint.
 */
export function sqliteProblem(error: unknown, path: string): StoreProblem | undefined {
  if (error instanceof StoreProblem) return error;
  if (!(error instanceof SQLiteError)) return undefined;
  const kind = error.code?.split('_')[1] ?? '';
  const wording = error.code === FULL_FOR_INDEX ? full : wordings[kind];
  return wording && new StoreProblem(wording.what(path), wording.hint, error);
}

/** Runs `action`, and converts SQLite errors with an outside cause into a StoreProblem. */
export function withSqliteProblems<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw sqliteProblem(error, path) ?? error;
  }
}
