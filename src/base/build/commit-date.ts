import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { CheckedOut } from './find-head.ts';

const SHA1_BYTES = 20;
const FANOUT = 8;
const NAMES = FANOUT + 256 * 4;
const COMMIT_TYPE = 1;
/** A commit of a pull request with a long message has a few kilobytes. */
const MAX_COMMIT_BYTES = 64 * 1024;
/** Offsets from here on are in a table of their own, in packs over 2 GiB. */
const LARGE_OFFSET = 0x8000_0000;

/**
 * Reads the day on which a commit was made (UTC), without git. Returns undefined if git keeps the commit in a
 * different form.
 */
export function commitDate({ commit, objects }: CheckedOut): string | undefined {
  const text = readLoose(commit, objects) ?? readPacked(commit, join(objects, 'pack'));
  const [, seconds] = /^committer .* (\d+) [+-]\d{4}$/m.exec(text ?? '') ?? [];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);
}

function readLoose(commit: string, objects: string): string | undefined {
  const path = join(objects, commit.slice(0, 2), commit.slice(2));
  return existsSync(path) ? inflateSync(readFileSync(path)).toString() : undefined;
}

function readPacked(commit: string, folder: string): string | undefined {
  if (commit.length !== SHA1_BYTES * 2 || !existsSync(folder)) return undefined;
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.idx'))) {
    const offset = withFile(join(folder, name), (read) => findOffset(read, Buffer.from(commit, 'hex')));
    if (offset !== undefined)
      return withFile(join(folder, `${name.slice(0, -'.idx'.length)}.pack`), (read) => inflate(read, offset));
  }
  return undefined;
}

type Read = (position: number, bytes: number) => Buffer;

function withFile<T>(path: string, work: (read: Read) => T): T {
  const file = openSync(path, 'r');
  try {
    return work((position, bytes) => {
      const buffer = Buffer.alloc(bytes);
      return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
    });
  } finally {
    closeSync(file);
  }
}

/** Finds an object in an index of version 2, whose names are sorted. */
function findOffset(read: Read, name: Buffer): number | undefined {
  const fanout = read(FANOUT, 256 * 4);
  const first = name[0]!;
  const count = fanout.readUInt32BE(255 * 4);
  const begin = first === 0 ? 0 : fanout.readUInt32BE((first - 1) * 4);
  const names = read(NAMES + begin * SHA1_BYTES, (fanout.readUInt32BE(first * 4) - begin) * SHA1_BYTES);
  for (let at = 0; at < names.length; at += SHA1_BYTES) {
    if (!names.subarray(at, at + SHA1_BYTES).equals(name)) continue;
    const checksums = NAMES + count * SHA1_BYTES;
    const offset = read(checksums + count * 4 + (begin + at / SHA1_BYTES) * 4, 4).readUInt32BE(0);
    return offset < LARGE_OFFSET ? offset : undefined;
  }
  return undefined;
}

/**
 * Inflates a commit that is stored whole. Its length precedes it, seven bits in each byte after the first.
 */
function inflate(read: Read, offset: number): string | undefined {
  const bytes = read(offset, MAX_COMMIT_BYTES);
  if (((bytes[0]! >> 4) & 7) !== COMMIT_TYPE) return undefined;
  const begin = bytes.findIndex((byte) => byte < 0x80) + 1;
  return inflateSync(bytes.subarray(begin)).toString();
}
