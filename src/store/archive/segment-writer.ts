import { createHash } from 'node:crypto';
import { type ArchivedRow, formatRow } from './archived-row.ts';
import {
  formatDirectory,
  type SegmentBlock,
  type SegmentDirectory,
  skippableFrame,
} from './segment-format.ts';
import { formatIndex, keyOf } from './segment-index.ts';
import type { SegmentSink } from './segment-sink.ts';

/** Higher levels save less than 2 %. */
const LEVEL = 9;

/** Writes a segment to a sink. */
export class SegmentWriter {
  readonly #sink: SegmentSink;
  readonly #digest = createHash('sha256');
  readonly #blocks: SegmentBlock[] = [];
  readonly #keys: bigint[] = [];
  readonly #ids: SegmentDirectory['ids'] = {};
  #end = 0;

  constructor(sink: SegmentSink) {
    this.#sink = sink;
  }

  /** Adds the entries of one frame. */
  async addBlock(rows: readonly ArchivedRow[]): Promise<void> {
    const bytes = await Bun.zstdCompress(rows.map(formatRow).join(''), { level: LEVEL });
    for (const { id } of rows) this.#addId(id);
    this.#blocks.push({
      offset: this.#end,
      length: bytes.length,
      firstAccount: rows[0]!.accountId,
      lastAccount: rows.at(-1)!.accountId,
    });
    await this.#append(bytes);
  }

  /** Adds the index and the directory. Returns the size and the SHA-256 of the segment. */
  async finish(): Promise<{ bytes: number; sha256: string }> {
    const { bytes, starts } = formatIndex(BigUint64Array.from(this.#keys));
    const index = { offset: this.#end, starts };
    await this.#append(skippableFrame(bytes));
    const parts = { blocks: this.#blocks, ids: this.#ids, index };
    const directory = formatDirectory({ version: 1, entries: this.#keys.length, ...parts });
    await this.#append(skippableFrame(directory));
    return { bytes: this.#end, sha256: this.#digest.digest('hex') };
  }

  #addId(id: string): void {
    this.#keys.push(keyOf(id, this.#blocks.length));
    const [first, last] = this.#ids[id.length] ?? [id, id];
    this.#ids[id.length] = [id < first ? id : first, id > last ? id : last];
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.#digest.update(bytes);
    await this.#sink.append(bytes, this.#end);
    this.#end += bytes.length;
  }
}
