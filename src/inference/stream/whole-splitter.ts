import type { Frame } from '../../translation/contract/frame.ts';
import type { Splitter } from './answer-stream.ts';

/** The longest whole answer in place of a stream. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Makes one frame of an answer that is not a stream. */
export class WholeSplitter implements Splitter {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  push(chunk: Uint8Array): Frame[] {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > MAX_BYTES) throw new RangeError('the answer exceeds the size limit');
    this.#pieces.push(Buffer.from(chunk)); // copied, since the chunk is reused
    return [];
  }

  end(): Frame[] {
    return [{ data: Buffer.concat(this.#pieces).toString() }];
  }
}
