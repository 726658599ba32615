import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Draws } from '../kernel/draws.ts';

/**
 * The frames of a log that belong to its present salt.
 * SQLite begins a log again from its start under another salt.
 */
export type WalExtent = { salt: string; frames: number };

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SECTOR_BYTES = 512;

function withFile<T>(path: string, flags: string, use: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, flags);
  } catch {
    return undefined; // there is no log yet
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
  return { salt: header.subarray(16, 24), frameBytes: FRAME_HEADER_BYTES + header.readUInt32BE(8), size };
}

function countFrames(file: number, { salt, frameBytes, size }: Layout, from: number): number {
  const head = Buffer.alloc(FRAME_HEADER_BYTES);
  for (let frame = from; ; frame++) {
    const at = HEADER_BYTES + frame * frameBytes;
    if (at + frameBytes > size) return frame;
    readSync(file, head, 0, FRAME_HEADER_BYTES, at);
    if (!head.subarray(8, 16).equals(salt)) return frame;
  }
}

/** Reads how far the log goes, from a known extent on. */
export const readWal = (path: string, known?: WalExtent): WalExtent | undefined =>
  withFile(path, 'r', (file) => {
    const layout = layoutOf(file);
    if (!layout) return undefined;
    const salt = layout.salt.toString('hex');
    return { salt, frames: countFrames(file, layout, known?.salt === salt ? known.frames : 0) };
  });

/**
 * Damages the frames that were not flushed: a random number of them survives, and of the others each sector
 * is kept, zeroed or garbled. Returns how many frames it damaged.
 */
export function tearWal(path: string, flushed: WalExtent | undefined, random: Draws): number {
  const extent = readWal(path);
  if (!extent) return 0;
  const safe = flushed?.salt === extent.salt ? flushed.frames : 0;
  const kept = safe + random.below(extent.frames - safe + 1);
  withFile(path, 'r+', (file) => {
    const { frameBytes } = layoutOf(file)!;
    for (let frame = kept; frame < extent.frames; frame++) {
      const start = HEADER_BYTES + frame * frameBytes;
      // At least the first sector is lost, or the frame would have survived.
      for (let at = 0; at < frameBytes; at += SECTOR_BYTES)
        if (at === 0 || random.chance(0.5)) {
          const sector = Buffer.alloc(
            Math.min(SECTOR_BYTES, frameBytes - at),
            random.chance(0.5) ? 0 : random.below(256),
          );
          writeSync(file, sector, 0, sector.length, start + at);
        }
    }
  });
  return extent.frames - kept;
}
