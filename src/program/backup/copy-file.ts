import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOrText } from '../../base/lib/error-code.ts';
import { writeAll } from '../../base/lib/write-all.ts';
import type { BackupFile } from './manifest.ts';

const OWNER_ONLY = 0o600;
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies a file and flushes the copy. `end` limits the copied bytes. Returns the size and SHA-256 of the
 * copied bytes.
 */
export async function copyFile(
  from: string,
  to: string,
  { end = Number.POSITIVE_INFINITY }: { end?: number } = {},
): Promise<Omit<BackupFile, 'name'>> {
  try {
    return await copyBytes(from, to, end);
  } catch (error) {
    const reason = `${from} cannot be copied to ${to} (${codeOrText(error)})`;
    throw new Unavailable(reason, 'check the free space and the permissions of both paths', error);
  }
}

async function copyBytes(from: string, to: string, end: number): Promise<Omit<BackupFile, 'name'>> {
  await using source = await open(from, 'r');
  await using target = await open(to, 'wx', OWNER_ONLY);
  const digest = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  let bytes = 0;
  while (bytes < end) {
    const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, end - bytes), bytes);
    if (bytesRead === 0) break;
    const filledPart = piece.subarray(0, bytesRead);
    digest.update(filledPart);
    await writeAll(target, filledPart, bytes);
    bytes += bytesRead;
  }
  await target.sync();
  return { bytes, sha256: digest.digest('hex') };
}

/** Flushes a file that another library wrote. Returns its size and SHA-256. */
export async function flushFile(path: string): Promise<Omit<BackupFile, 'name'>> {
  await using file = await open(path, 'r+');
  await file.sync();
  const digest = createHash('sha256');
  const piece = Buffer.alloc(PIECE_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
    if (bytesRead === 0) return { bytes, sha256: digest.digest('hex') };
    digest.update(piece.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}
