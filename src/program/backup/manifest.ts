import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** The file that lists the files of a backup. */
export const MANIFEST = 'manifest.json';

export type BackupFile = { name: string; bytes: number; sha256: string };

/** The contents of a backup. It is written last, so a backup without it is not complete. */
export type Manifest = {
  format: 1;
  /** The version of the program that made the backup. */
  version: string;
  /** The number of the latest migration of the database. */
  schema: number;
  created_at: string;
  files: BackupFile[];
};

/** Names of files in a backup. No other path is written. */
const NAME = /^(archive\/)?\w[\w.-]*$/;

/** Reads the files that the manifest of a backup lists. Fails if it is missing, or lists any other path. */
export function readBackupFiles(directory: string): BackupFile[] {
  const { format, files } = objectOf(contentOf(directory));
  if (format === 1 && Array.isArray(files) && files.every(isBackupFile)) return files;
  throw new Unavailable(
    `${join(directory, MANIFEST)} is missing or is not a list of files`,
    'pass the directory of a complete backup',
  );
}

function isBackupFile(file: unknown): file is BackupFile {
  const { name, bytes, sha256 } = objectOf(file);
  return (
    typeof name === 'string' && NAME.test(name) && typeof bytes === 'number' && typeof sha256 === 'string'
  );
}

/** Returns undefined if the file cannot be read or is not JSON. */
function contentOf(directory: string): unknown {
  try {
    return JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8'));
  } catch {
    return undefined;
  }
}
