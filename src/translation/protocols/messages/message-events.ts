import type { Fields } from '../../../base/schema/json-type.ts';
import type { Frame } from '../../contract/codec.ts';
import { type Block, isAnswer } from './encode-block.ts';

/** Writes the events of one message. Its blocks follow each other and are numbered from 0. */
export class MessageEvents {
  #frames: Frame[] = [];
  #blockCount = 0;
  #lastBlock: Block | undefined;
  #hasAnswer = false;

  /** True once a text or a call has begun. */
  get hasAnswer(): boolean {
    return this.#hasAnswer;
  }

  /** True if the last block is thinking after the answer. */
  get endsInThought(): boolean {
    return this.#hasAnswer && this.#lastBlock !== undefined && !isAnswer(this.#lastBlock);
  }

  /** Returns the frames since the last call. */
  take(): Frame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  send(type: string, fields: Fields): void {
    this.#frames.push({ event: type, data: JSON.stringify({ type, ...fields }) });
  }

  /** Begins a block, and returns its number. */
  beginBlock(block: Block): number {
    const index = this.#blockCount++;
    this.#lastBlock = block;
    this.#hasAnswer ||= isAnswer(block);
    this.send('content_block_start', { index, content_block: block });
    return index;
  }

  growBlock(index: number, delta: Fields): void {
    this.send('content_block_delta', { index, delta });
  }

  endBlock(index: number): void {
    this.send('content_block_stop', { index });
  }
}
