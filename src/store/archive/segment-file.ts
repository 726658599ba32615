import { createHash } from 'node:crypto';
import { StoreProblem } from '../store-problem.ts';
import { type ArchivedRow, parseRow } from './archived-row.ts';
import { TEMPORARY } from './new-segment-file.ts';
import {
  contentOf,
  directoryLength,
  type SegmentBlock,
  type SegmentDirectory,
  TRAILER_BYTES,
} from './segment-format.ts';
import { blockOfKey, digestOf, digestOfKey, firstByteOf, KEY_BYTES } from './segment-index.ts';
import { fileSource, type SegmentBytes, type SegmentSource } from './segment-source.ts';

const PIECE_BYTES = 1024 * 1024;

/** Reads a segment. Each call opens the source, and only the directory stays in memory. */
export class SegmentFile {
  readonly #source: SegmentSource;
  readonly #shared: { directory: SegmentDirectory | undefined };

  constructor(
    place: string | SegmentSource,
    shared: { directory: SegmentDirectory | undefined } = { directory: undefined },
  ) {
    this.#source = typeof place === 'string' ? fileSource(place) : place;
    this.#shared = shared;
  }

  /** Opens the same segment from another source. The directory is read once for both. */
  from(source: SegmentSource): SegmentFile {
    return new SegmentFile(source, this.#shared);
  }

  /** Opens a segment that has no name of its own yet. */
  static unpublished(path: string): SegmentFile {
    return new SegmentFile(path + TEMPORARY);
  }

  problem(cause?: unknown): StoreProblem {
    const { name, remedy } = this.#source;
    return new StoreProblem(`${name} is missing or damaged`, remedy, cause);
  }

  /** Reads the entries of all accounts, by frame. */
  async *blocks(): AsyncGenerator<ArchivedRow[]> {
    yield* this.#read(async function* (segment, file) {
      const { blocks } = await segment.#load(file);
      for (const block of blocks) yield await rowsIn(file, block);
    });
  }

  /** Reads an account's entries before a number by frame, newest first. */
  async *rowsOf(accountId: string, before = Number.POSITIVE_INFINITY): AsyncGenerator<ArchivedRow[]> {
    const { directory } = this.#shared;
    if (directory && blocksOf(directory, accountId).length === 0) return;
    yield* this.#read(async function* (segment, file) {
      const blocks = blocksOf(await segment.#load(file), accountId);
      const rowsAt = async (index: number) =>
        (await rowsIn(file, blocks[index]!)).filter((row) => row.accountId === accountId);
      const begins = async (index: number) => {
        const [oldest] = await rowsAt(index);
        return oldest === undefined || oldest.number < before;
      };
      const end =
        before === Number.POSITIVE_INFINITY ? blocks.length : await countWhile(blocks.length, begins);
      for (let index = end - 1; index >= 0; index--)
        yield (await rowsAt(index)).filter(({ number }) => number < before).reverse();
    });
  }

  async find(id: string): Promise<ArchivedRow | undefined> {
    const { directory } = this.#shared;
    if (directory && !mayHave(directory, id)) return undefined;
    const rows = this.#read(async function* (segment, file) {
      const { blocks, index } = await segment.#load(file);
      for (const number of await blocksWith(file, index, digestOf(id)))
        yield (await rowsIn(file, blocks[number]!)).filter((row) => row.id === id);
    });
    for await (const [row] of rows) if (row) return row;
    return undefined;
  }

  /** Computes the SHA-256 of the whole file. */
  async sha256(): Promise<string> {
    const digest = createHash('sha256');
    const pieces = this.#read(async function* (_, file) {
      for (let at = 0; at < file.size; at += PIECE_BYTES)
        yield await file.read(at, Math.min(PIECE_BYTES, file.size - at));
    });
    for await (const piece of pieces) digest.update(piece);
    return digest.digest('hex');
  }

  async *#read<T>(work: (segment: SegmentFile, file: SegmentBytes) => AsyncGenerator<T>): AsyncGenerator<T> {
    let file: SegmentBytes | undefined;
    try {
      file = await this.#source.open();
      yield* work(this, file);
    } catch (error) {
      throw error instanceof StoreProblem ? error : this.problem(error);
    } finally {
      await file?.close();
    }
  }

  async #load(file: SegmentBytes): Promise<SegmentDirectory> {
    if (this.#shared.directory) return this.#shared.directory;
    const end = file.size - TRAILER_BYTES;
    const length = directoryLength(await file.read(end, TRAILER_BYTES));
    if (length === undefined) throw new Error('no segment');
    const text = await file.read(end - length, length);
    this.#shared.directory = JSON.parse(text.toString()) as SegmentDirectory;
    return this.#shared.directory;
  }
}

const blocksOf = ({ blocks }: SegmentDirectory, accountId: string): SegmentBlock[] =>
  blocks.filter((block) => block.firstAccount <= accountId && accountId <= block.lastAccount);

/** Returns how many of the first indexes below `count` meet a test. None after the first failure meets it. */
async function countWhile(count: number, test: (index: number) => Promise<boolean>): Promise<number> {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (await test(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}

function mayHave({ ids }: SegmentDirectory, id: string): boolean {
  const [first, last] = ids[id.length] ?? [];
  return first !== undefined && last !== undefined && first <= id && id <= last;
}

async function rowsIn(file: SegmentBytes, { offset, length }: SegmentBlock): Promise<ArchivedRow[]> {
  const text = await Bun.zstdDecompress(await file.read(offset, length));
  return text
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(parseRow);
}

/** The blocks that have a key of this digest. */
async function blocksWith(
  file: SegmentBytes,
  { offset, starts }: SegmentDirectory['index'],
  digest: bigint,
): Promise<Set<number>> {
  const from = starts[firstByteOf(digest)]!;
  const to = starts[firstByteOf(digest) + 1]!;
  const bytes = await file.read(contentOf(offset) + from * KEY_BYTES, (to - from) * KEY_BYTES);
  const found = new Set<number>();
  for (let at = 0; at < bytes.length; at += KEY_BYTES) {
    const key = bytes.readBigUInt64LE(at);
    if (digestOfKey(key) === digest) found.add(blockOfKey(key));
  }
  return found;
}
