import { constants, copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { ARCHIVE_FOLDER, DATABASE_FILE } from '../../store/sqlite/data-directory.ts';

/** The database and its log. A server that crashed leaves the log, and its last charges are only there. */
const FILES = [DATABASE_FILE, `${DATABASE_FILE}-wal`];

export type WorkingCopy = { directory: string; remove(): void };

/**
 * Copies the database of a locked data directory to a temporary directory. The copy's schema can be upgraded
 * while the source keeps its own. Files of the archive have no schema, so the copy refers to the files of the
 * source.
 */
export function makeWorkingCopy(source: string): WorkingCopy {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-migrate-'));
  const removeFiles = () => rmSync(directory, { recursive: true, force: true });
  // An interrupt ends the process without unwinding its calls.
  process.once('exit', removeFiles);
  const remove = () => {
    process.off('exit', removeFiles);
    removeFiles();
  };
  try {
    for (const name of FILES) copyIfThere(join(source, name), join(directory, name));
    symlinkSync(resolve(source, ARCHIVE_FOLDER), join(directory, ARCHIVE_FOLDER));
    return { directory, remove };
  } catch (error) {
    remove();
    throw new Unavailable(
      `${source} cannot be copied to ${directory} (${messageOfError(error)})`,
      'set TMPDIR to a directory with enough space for a copy of tollgate.db',
      error,
    );
  }
}

/** A file system with copy on write shares the blocks of both files. */
function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to, constants.COPYFILE_FICLONE);
}
