import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { syncDirectory } from '../../base/lib/sync-directory.ts';
import { faultCount } from '../../money/ledger/fault-count.ts';
import { type VerifiedLedger, verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { parseSpool } from '../../store/spool/spool-lines.ts';
import {
  ARCHIVE_FOLDER,
  DATABASE_FILE,
  prepareDirectory,
  RESTORE_FOLDER,
  refuseUnfinishedRestore,
} from '../../store/sqlite/data-directory.ts';
import { LOCK_FILE, lockDirectory } from '../../store/sqlite/directory-lock.ts';
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts';
import { SECRET_KEY_FILE } from './back-up.ts';
import { copyFile } from './copy-file.ts';
import { type BackupFile, readBackupFiles } from './manifest.ts';

const SPOOL = 'settlements.spool';
/** Files of an empty directory. */
const IGNORED = new Set([LOCK_FILE, 'lost+found']);

export type RestoreOrder = { source: string; target: string; acceptsFaults: boolean };
export type Restored = {
  verified: VerifiedLedger;
  /** Settlements in the spool, which the next start posts. */
  waiting: number;
  /** True if the database has encrypted credentials, and the backup has no key for them. */
  lacksSecretKey: boolean;
};

/**
 * Copies a backup into an empty data directory. The copy is verified in a folder of its own before its files
 * get their places. On failure nothing stays.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { source, target } = order;
  const files = readBackupFiles(source);
  const isNew = !existsSync(target);
  const lockFile = join(target, LOCK_FILE);
  const hadLock = existsSync(lockFile);
  // A running server is the better reason than its files.
  if (hadLock) lockDirectory(target).release();
  if (!isNew) refuseContent(target);
  prepareDirectory(target);
  // No server can start during the restore.
  const lock = lockDirectory(target);
  try {
    refuseContent(target);
    return await removeOnFailure(target, () => fill(order, files));
  } catch (error) {
    if (!hadLock) await rm(isNew ? target : lockFile, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

function refuseContent(target: string): void {
  refuseUnfinishedRestore(target);
  if (readdirSync(target).every((name) => IGNORED.has(name))) return;
  throw new Unavailable(
    `The data directory ${target} is not empty`,
    'move its content away, or choose another data directory',
  );
}

/** Removes all files if the work fails. */
async function removeOnFailure<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (const name of readdirSync(target))
      if (!IGNORED.has(name)) await rm(join(target, name), { recursive: true, force: true });
    throw error;
  }
}

async function fill({ source, target, acceptsFaults }: RestoreOrder, files: BackupFile[]): Promise<Restored> {
  const staging = join(target, RESTORE_FOLDER);
  await mkdir(staging, { mode: 0o700 });
  for (const file of files) await copyChecked(join(source, file.name), join(staging, file.name), file);
  const archive = join(staging, ARCHIVE_FOLDER);
  if (existsSync(archive)) await syncDirectory(archive);
  const { verified, hasSecrets } = await verify(staging);
  const lacksSecretKey = hasSecrets && !existsSync(join(staging, SECRET_KEY_FILE));
  if (verified.faults.length > 0 && !acceptsFaults)
    throw new Unavailable(
      `The ledger of the backup has ${faultCount(verified)}`,
      'restore an older backup, or accept the faults with --accept-faults',
    );
  const spool = join(staging, SPOOL);
  const postings = existsSync(spool) ? parseSpool(readFileSync(spool)).postings : [];
  await publish(staging, target);
  return { verified, waiting: postings.length, lacksSecretKey };
}

async function copyChecked(from: string, to: string, { bytes, sha256 }: BackupFile): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const copied = existsSync(from) ? await copyFile(from, to) : undefined;
  if (copied?.bytes === bytes && copied.sha256 === sha256) return;
  throw new Unavailable(`${from} is missing or differs from the manifest`, 'restore another backup');
}

/** Opens the database as the next start does, and verifies its ledger. */
async function verify(directory: string): Promise<{ verified: VerifiedLedger; hasSecrets: boolean }> {
  const store = await openSqliteStore({ directory });
  try {
    const settings = await store.settings.listSettings();
    const hasSecrets = settings.some(({ secrets }) => secrets !== null);
    return { verified: await verifyLedger(store.ledger), hasSecrets };
  } finally {
    await store.close();
  }
}

/** Moves the files to their places, the database last. Until the folder is removed, no server starts. */
async function publish(staging: string, target: string): Promise<void> {
  await rm(join(staging, LOCK_FILE), { force: true });
  const names = readdirSync(staging).filter((name) => name !== DATABASE_FILE);
  await syncDirectory(staging);
  for (const name of [...names, DATABASE_FILE]) await rename(join(staging, name), join(target, name));
  await syncDirectory(target);
  await rmdir(staging);
  await syncDirectory(target);
}
