import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DirectoryInUse, LOCK_FILE, lockDirectory } from '../../store/sqlite/directory-lock.ts';

/** Reports whether a server uses the directory. The lock of a server ends with its process. */
export function isInUse(directory: string): boolean {
  if (!existsSync(join(directory, LOCK_FILE))) return false;
  try {
    lockDirectory(directory).release();
    return false;
  } catch (error) {
    return error instanceof DirectoryInUse;
  }
}
