import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { StoreProblem } from '../store-problem.ts';
import { type ArchivedRow, parseRow } from './archived-row.ts';
import {
  blockOfKey,
  contentOf,
  digestOf,
  digestOfKey,
  directoryLength,
  firstByteOf,
  KEY_BYTES,
  type SegmentBlock,
  type SegmentDirectory,
  TRAILER_BYTES,
} from './segment-format.ts';
import { TEMPORARY } from './segment-writer.ts';

const PIECE_BYTES = 1024 * 1024;

/** Reads a segment. Each call opens the file, and only the directory stays in memory. */
export class SegmentFile {
  readonly #path: string;
  #directory: SegmentDirectory | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** A segment that has no name of its own yet. */
  static unpublished(path: string): SegmentFile {
    return new SegmentFile(path + TEMPORARY);
  }

  problem(cause?: unknown): StoreProblem {
    return new StoreProblem(`${this.#path} is missing or damaged`, 'restore this file from a backup', cause);
  }

  /** The entries of all accounts, by frame. */
  async *blocks(): AsyncGenerator<ArchivedRow[]> {
    yield* this.#read(async function* (segment, file) {
      const { blocks } = await segment.#load(file);
      for (const block of blocks) yield await rowsIn(file, block);
    });
  }

  /** An account's entries by frame, newest first. */
  async *rowsOf(accountId: string): AsyncGenerator<ArchivedRow[]> {
    if (this.#directory && blocksOf(this.#directory, accountId).length === 0) return;
    yield* this.#read(async function* (segment, file) {
      for (const block of blocksOf(await segment.#load(file), accountId).reverse()) {
        const rows = await rowsIn(file, block);
        yield rows.filter((row) => row.accountId === accountId).reverse();
      }
    });
  }

  async find(id: string): Promise<ArchivedRow | undefined> {
    if (this.#directory && !mayHave(this.#directory, id)) return undefined;
    const rows = this.#read(async function* (segment, file) {
      const { blocks, index } = await segment.#load(file);
      for (const number of await blocksWith(file, index, digestOf(id)))
        yield (await rowsIn(file, blocks[number]!)).filter((row) => row.id === id);
    });
    for await (const [row] of rows) if (row) return row;
    return undefined;
  }

  /** The SHA-256 of the whole file. */
  async sha256(): Promise<string> {
    const digest = createHash('sha256');
    const pieces = this.#read(async function* (_, file) {
      const { size } = await file.stat();
      for (let at = 0; at < size; at += PIECE_BYTES)
        yield await bytesAt(file, at, Math.min(PIECE_BYTES, size - at));
    });
    for await (const piece of pieces) digest.update(piece);
    return digest.digest('hex');
  }

  async *#read<T>(work: (segment: SegmentFile, file: FileHandle) => AsyncGenerator<T>): AsyncGenerator<T> {
    let file: FileHandle | undefined;
    try {
      file = await open(this.#path, 'r');
      yield* work(this, file);
    } catch (error) {
      throw this.problem(error);
    } finally {
      await file?.close();
    }
  }

  async #load(file: FileHandle): Promise<SegmentDirectory> {
    if (this.#directory) return this.#directory;
    const { size } = await file.stat();
    const end = size - TRAILER_BYTES;
    const length = directoryLength(await bytesAt(file, end, TRAILER_BYTES));
    if (length === undefined) throw new Error('no segment');
    const text = await bytesAt(file, end - length, length);
    this.#directory = JSON.parse(text.toString()) as SegmentDirectory;
    return this.#directory;
  }
}

const blocksOf = ({ blocks }: SegmentDirectory, accountId: string): SegmentBlock[] =>
  blocks.filter((block) => block.firstAccount <= accountId && accountId <= block.lastAccount);

function mayHave({ ids }: SegmentDirectory, id: string): boolean {
  const [first, last] = ids[id.length] ?? [];
  return first !== undefined && last !== undefined && first <= id && id <= last;
}

async function rowsIn(file: FileHandle, { offset, length }: SegmentBlock): Promise<ArchivedRow[]> {
  const text = await Bun.zstdDecompress(await bytesAt(file, offset, length));
  return text
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(parseRow);
}

/** The blocks that have a key of this digest. */
async function blocksWith(
  file: FileHandle,
  { offset, starts }: SegmentDirectory['index'],
  digest: bigint,
): Promise<Set<number>> {
  const [from, to] = [starts[firstByteOf(digest)]!, starts[firstByteOf(digest) + 1]!];
  const bytes = await bytesAt(file, contentOf(offset) + from * KEY_BYTES, (to - from) * KEY_BYTES);
  const found = new Set<number>();
  for (let at = 0; at < bytes.length; at += KEY_BYTES) {
    const key = bytes.readBigUInt64LE(at);
    if (digestOfKey(key) === digest) found.add(blockOfKey(key));
  }
  return found;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw new Error('the file ends too early');
  return bytes;
}
