import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { MEGABYTE } from '../../../base/lib/units.ts';
import type { Check } from './check.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'data directory';
const TIGHT_MB = 1_024;
const TOO_LITTLE_MB = 100;

/** Checks that the data directory, or its nearest parent, is writable and has space. */
export const checkDataDirectory: Check = ({ config }) => {
  const directory = resolve(config.store.data_dir);
  const place = existsSync(directory) ? directory : nearestExisting(directory);
  if (!statSync(place).isDirectory()) {
    return [fail(CHECK, `${place} is not a directory`, 'choose another directory with --data')];
  }
  return [checkWritable(directory, place), checkSpace(place)];
};

/** Returns the nearest existing parent. The first start creates the missing directories in it. */
function nearestExisting(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) ? parent : nearestExisting(parent);
}

function checkWritable(directory: string, place: string): Finding {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
  } catch {
    return fail(
      CHECK,
      `${place} is not writable`,
      'give the user that runs the server write access, or choose another directory with --data',
    );
  }
  return ok(
    CHECK,
    place === directory ? `${directory} is writable` : `the first start will create ${directory}`,
  );
}

function checkSpace(place: string): Finding {
  const { bavail, bsize } = statfsSync(place);
  const freeMegabytes = Math.floor((bavail * bsize) / MEGABYTE);
  const message = `${freeMegabytes.toLocaleString('en')} MB free`;
  if (freeMegabytes < TOO_LITTLE_MB)
    return fail(CHECK, message, `free some space: a start needs ${TOO_LITTLE_MB} MB`);
  if (freeMegabytes < TIGHT_MB) return warn(CHECK, message, 'free some space, since the ledger grows');
  return ok(CHECK, message);
}
