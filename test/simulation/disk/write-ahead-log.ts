import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { codeOfError } from '../../../src/base/lib/error-code.ts';
import type { Draws } from '../kernel/draws.ts';

/**
 * The frames of a log under its present salt. SQLite begins a log again from its start under another salt.
 */
export type WalExtent = { salt: string; frames: number };

// The format is described at https://www.sqlite.org/fileformat2.html#walformat.
const HEADER_BYTES = 32;
const PAGE_SIZE_AT = 8;
const SALT = [16, 24] as const;
const FRAME_HEADER_BYTES = 24;
const FRAME_SALT = [8, 16] as const;
const SECTOR_BYTES = 512;

function withFile<T>(path: string, flags: string, use: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch (error) {
    if (codeOfError(error) === 'ENOENT') return undefined; // there is no log yet
    throw error;
  }
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

type Layout = { salt: Buffer; frameBytes: number; size: number };

function layoutOf(file: number): Layout | undefined {
  const { size } = fstatSync(file);
  if (size < HEADER_BYTES) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(PAGE_SIZE_AT);
  return { salt: header.subarray(...SALT), frameBytes, size };
}

function countFrames(file: number, { salt, frameBytes, size }: Layout, from: number): number {
  const head = Buffer.alloc(FRAME_HEADER_BYTES);
  for (let frame = from; ; frame++) {
    const at = HEADER_BYTES + frame * frameBytes;
    if (at + frameBytes > size) return frame;
    readSync(file, head, 0, FRAME_HEADER_BYTES, at);
    if (!head.subarray(...FRAME_SALT).equals(salt)) return frame;
  }
}

/** Reads the extent of the log. A known extent with the same salt saves reading its frames again. */
export const readWal = (path: string, known?: WalExtent): WalExtent | undefined =>
  withFile(path, 'r', (file) => {
    const layout = layoutOf(file);
    if (!layout) return undefined;
    const salt = layout.salt.toString('hex');
    return { salt, frames: countFrames(file, layout, known?.salt === salt ? known.frames : 0) };
  });

/**
 * Damages the frames that were not flushed. A random number of them survives. Each sector of the others is
 * kept, zeroed or garbled. Returns the number of damaged frames.
 */
export function tearWal(path: string, flushed: WalExtent | undefined, random: Draws): number {
  const extent = readWal(path);
  if (!extent) return 0;
  const safe = flushed?.salt === extent.salt ? flushed.frames : 0;
  const kept = safe + random.below(extent.frames - safe + 1);
  withFile(path, 'r+', (file) => {
    const { frameBytes } = layoutOf(file)!;
    for (let frame = kept; frame < extent.frames; frame++)
      tearFrame(file, { start: HEADER_BYTES + frame * frameBytes, bytes: frameBytes }, random);
  });
  return extent.frames - kept;
}

/** Damages a frame. At least its first sector is lost, or the frame would have survived. */
function tearFrame(file: number, { start, bytes }: { start: number; bytes: number }, random: Draws): void {
  for (let at = 0; at < bytes; at += SECTOR_BYTES) {
    if (at > 0 && !random.chance(0.5)) continue;
    const sector = Buffer.alloc(
      Math.min(SECTOR_BYTES, bytes - at),
      random.chance(0.5) ? 0 : random.below(256),
    );
    writeSync(file, sector, 0, sector.length, start + at);
  }
}
