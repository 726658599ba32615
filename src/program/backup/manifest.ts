import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';

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

/** Reads the manifest of a backup. Fails if it is missing, or names a path that no backup has. */
export function readManifest(directory: string): Manifest {
  const manifest = parse(directory);
  const isWhole =
    manifest?.format === 1 &&
    Array.isArray(manifest.files) &&
    manifest.files.every((file) => typeof file?.name === 'string' && NAME.test(file.name));
  if (isWhole) return manifest;
  throw new Unavailable(
    `${join(directory, MANIFEST)} is missing or is not a list of files`,
    'pass the directory of a complete backup',
  );
}

function parse(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, MANIFEST), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
