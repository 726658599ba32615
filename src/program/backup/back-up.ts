import { createReadStream, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { syncDirectory } from '../../base/lib/sync-directory.ts';
import { ARCHIVE_FOLDER, DATABASE_FILE } from '../../store/sqlite/data-directory.ts';
import { copyDatabase } from './copy-database.ts';
import { copyFile, flushFile } from './copy-file.ts';
import { type BackupFile, MANIFEST, type Manifest } from './manifest.ts';

const SPOOL = /^settlements\.spool/;
const SECRETS = ['admin-token', 'first-key'];
/** The key of stored credentials. A backup without it reveals none of them. */
export const SECRET_KEY_FILE = 'secret-key';
const OWNER_ONLY_DIRECTORY = 0o700;

export type BackupOrder = {
  source: string;
  target: string;
  version: string;
  now: number;
  withSecretKey?: boolean;
};

/**
 * Copies a data directory while a server may write to it. The copy has every charge that was durable when it
 * began. The target gets its name when the copy is complete.
 */
export async function backUp(order: BackupOrder): Promise<Manifest> {
  const { source, target } = order;
  if (!existsSync(join(source, DATABASE_FILE)))
    throw new Unavailable(
      `${join(source, DATABASE_FILE)} does not exist`,
      'pass the data directory with --data',
    );
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Unavailable(`${target} is not empty`, 'choose a new or an empty directory');
  const partial = `${target}.partial-${process.pid}`;
  const removePartial = () => rmSync(partial, { recursive: true, force: true });
  // An interrupt ends the process without unwinding its calls.
  process.once('exit', removePartial);
  try {
    await mkdir(join(partial, ARCHIVE_FOLDER), { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    const manifest = await fill(partial, order);
    await rename(partial, target);
    await syncDirectory(dirname(target));
    return manifest;
  } finally {
    process.off('exit', removePartial);
    removePartial();
  }
}

/**
 * Copies in an order that loses nothing. A settlement moves from the spool to the database, so the spool is
 * first. If both copies have it, the next start skips it. An entry moves from the database to the archive,
 * and files of the archive are never removed.
 */
async function fill(
  partial: string,
  { source, version, now, withSecretKey = false }: BackupOrder,
): Promise<Manifest> {
  const files: BackupFile[] = [];
  const copy = async (name: string, end?: number) => {
    const facts = await copyFile(join(source, name), join(partial, name), end === undefined ? {} : { end });
    files.push({ name, ...facts });
  };
  for (const name of readdirSync(source).filter((file) => SPOOL.test(file)))
    await copy(name, await usedBytes(join(source, name)));
  const secrets = withSecretKey ? [...SECRETS, SECRET_KEY_FILE] : SECRETS;
  for (const name of secrets) if (existsSync(join(source, name))) await copy(name);
  const { schema, segments } = copyDatabase(join(source, DATABASE_FILE), join(partial, DATABASE_FILE));
  files.push({ name: DATABASE_FILE, ...(await flushFile(join(partial, DATABASE_FILE))) });
  for (const segment of segments) await copy(join(ARCHIVE_FOLDER, segment));
  const manifest: Manifest = { format: 1, version, schema, created_at: isoTime(now), files };
  await writeFile(join(partial, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await flushFile(join(partial, MANIFEST));
  await syncDirectory(join(partial, ARCHIVE_FOLDER));
  await syncDirectory(partial);
  return manifest;
}

/** Returns the spool's length without its reserved space. */
async function usedBytes(path: string): Promise<number> {
  let bytes = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const end = piece.indexOf(0);
    if (end >= 0) return bytes + end;
    bytes += piece.length;
  }
  return bytes;
}
