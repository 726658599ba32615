import { Refusal } from '../../../base/errors/refusal.ts';
import { listOf, numberIn, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { StreamEvent } from '../../canonical/event.ts';
import { laterUsage, type Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import { DONE } from '../../framing/done.ts';
import { MessageBlocks } from './message-blocks.ts';
import { refusalOf } from './refusal-of.ts';
import { decodeStop } from './stop.ts';
import { decodeUsage, hasUsage, inputOf } from './usage.ts';

/**
 * Decodes one stream. Blocks follow each other, but hosts that imitate the vendor omit events that open or
 * close them.
 */
export class MessagesStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #blocks = new MessageBlocks(this.#events);
  #usage: Usage | undefined;
  /** The reason of the answer's end, and the stop sequence. */
  #closing: Fields = {};

  read(frame: Frame): StreamEvent[] {
    if (this.#events.hasEnded || frame.data === DONE) return [];
    const event = parseObject(frame.data);
    const type = textOf(event.type) ?? frame.event ?? '';
    if (type === 'error' || event.error != null) this.#events.fail(refusalOf(event.error));
    else lookUp(this.#handlers, type)?.(event);
    return this.#events.take();
  }

  readonly #handlers: Readonly<Record<string, (event: Fields) => void>> = {
    message_start: ({ message }) => this.#start(objectOf(message)),
    content_block_start: ({ index, content_block }) =>
      this.#blocks.open(numberIn(index), objectOf(content_block)),
    content_block_delta: ({ index, delta }) => this.#blocks.grow(numberIn(index), objectOf(delta)),
    content_block_stop: ({ index }) => this.#blocks.close(numberIn(index)),
    message_delta: ({ delta, usage }) => {
      this.#closing = { ...this.#closing, ...objectOf(delta) };
      this.#addUsage(usage);
    },
    message_stop: () => this.#endAnswer(),
  };

  #start(message: Fields): void {
    const isFirst = this.#events.responseId === undefined;
    this.#events.start(message);
    if (!isFirst && !this.#canStartAgain(message)) {
      this.#events.fail(new Refusal('upstream_unavailable', { cause: 'a second message_start' }));
      return;
    }
    const isWhole = textOf(message.stop_reason) !== undefined;
    this.#addUsage(isWhole ? message.usage : inputOf(message.usage));
    if (isFirst) this.#readContent(message);
  }

  /**
   * Returns true for another start of the same answer, or of one that has no block yet. A host that tries
   * again behind the scenes sends such a start. The blocks of two answers cannot be separated.
   */
  #canStartAgain({ id }: Fields): boolean {
    return this.#events.responseId === (textOf(id) ?? '') || !this.#blocks.hasBegun;
  }

  /** Reads what a start has of the answer. An answer that continues a program can be whole in its start. */
  #readContent({ content, stop_reason, stop_sequence }: Fields): void {
    for (const [blockIndex, block] of listOf(content).map(objectOf).entries()) {
      if (block.text === '') continue; // some hosts announce an empty text
      this.#blocks.open(blockIndex, block);
      this.#blocks.close(blockIndex);
    }
    if (textOf(stop_reason) !== undefined) this.#closing = { stop_reason, stop_sequence };
  }

  #addUsage(usage: unknown): void {
    if (!hasUsage(usage)) return;
    this.#usage = laterUsage(this.#usage, decodeUsage(objectOf(usage), this.#usage));
    this.#events.addUsage(this.#usage);
  }

  #endAnswer(): void {
    this.#blocks.closeAll();
    this.#events.start();
    const { stop_reason, stop_sequence } = this.#closing;
    this.#events.end(decodeStop(textOf(stop_reason), textOf(stop_sequence)));
  }
}
