import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** An event of a stream of messages, as the host sent it. */
export type HostEvent = Fields & { type: string };

const NOTHING_MISSING: readonly HostEvent[] = Object.freeze([]);

/** The blocks that a delta of each type may open if the host did not. */
const openings: Readonly<Record<string, HostEvent>> = {
  text_delta: { type: 'text', text: '' },
  thinking_delta: { type: 'thinking', thinking: '', signature: '' },
};

const START: HostEvent = {
  type: 'message_start',
  message: {
    id: '',
    type: 'message',
    role: 'assistant',
    content: [],
    model: '',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  },
};

/**
 * Keeps the events of a message in the order that clients rely on. Blocks follow each other, between
 * `message_start` and the two closing events. Hosts that imitate the vendor omit some of them.
 */
export class EventOrder {
  #hasStarted = false;
  /** The number of the open block. */
  #open: number | undefined;
  readonly #opened = new Set<number>();
  #hasCalls = false;
  /** True once an event has given the reason of the end. */
  #isClosing = false;

  /**
   * Returns the missing events that must precede this one, or undefined if this event must be dropped. Throws
   * if no client could follow the stream.
   */
  missingBefore(event: HostEvent): readonly HostEvent[] | undefined {
    const { type } = event;
    if (type === 'message_start') return this.#start(event.message);
    if (type === 'ping' || type === 'error') return NOTHING_MISSING;
    const handle = lookUp(this.#handlers, type);
    const missing = handle ? handle(event) : NOTHING_MISSING;
    if (missing === undefined || this.#hasStarted) return missing;
    this.#hasStarted = true;
    return [START, ...missing];
  }

  /** The handlers of events that depend on the order. A result of undefined drops the event. */
  readonly #handlers: Readonly<Record<string, (event: HostEvent) => readonly HostEvent[] | undefined>> = {
    content_block_start: ({ index, content_block }) =>
      this.#begin(index, textOf(objectOf(content_block).type)),
    content_block_delta: ({ index, delta }) => this.#grow(index, objectOf(delta)),
    content_block_stop: ({ index }) => {
      if (index !== this.#open) return undefined;
      this.#open = undefined;
      return NOTHING_MISSING;
    },
    message_delta: ({ delta }) => {
      this.#isClosing ||= Boolean(textOf(objectOf(delta).stop_reason));
      return this.#close();
    },
    message_stop: () => (this.#isClosing ? this.#close() : [...this.#close(), this.#ending()]),
  };

  /** Drops a second start event, which adds nothing. */
  #start(message: unknown): readonly HostEvent[] | undefined {
    if (this.#hasStarted) return undefined;
    if (!isObject(message)) throw new SyntaxError('the start has no message');
    this.#hasStarted = true;
    const { content, stop_reason } = message;
    // An answer that continues a program can be whole in its start, and then has no other end.
    this.#isClosing = listOf(content).length > 0 && textOf(stop_reason) !== undefined;
    return NOTHING_MISSING;
  }

  #begin(index: unknown, type: string | undefined): readonly HostEvent[] {
    if (type === undefined) throw new SyntaxError('the block has no type');
    if (typeof index !== 'number' || !Number.isInteger(index))
      throw new SyntaxError('the block has no index');
    if (this.#isClosing) throw new SyntaxError('the block comes after the reason of the end');
    const missing = this.#close();
    this.#open = index;
    this.#opened.add(index);
    this.#hasCalls ||= type === 'tool_use';
    return missing;
  }

  #grow(index: unknown, { type }: Fields): readonly HostEvent[] {
    const kind = textOf(type);
    if (kind === undefined) throw new SyntaxError('the delta has no type');
    if (index === this.#open && index !== undefined) return NOTHING_MISSING;
    // A closed block cannot be reopened, since the delta's place in the answer would be unknown.
    const isNew = typeof index === 'number' && !this.#opened.has(index);
    const content_block = lookUp(openings, kind);
    if (!isNew || !content_block) throw new SyntaxError('the delta belongs to no open block');
    return [...this.#begin(index, content_block.type), { type: 'content_block_start', index, content_block }];
  }

  #close(): readonly HostEvent[] {
    if (this.#open === undefined) return NOTHING_MISSING;
    const index = this.#open;
    this.#open = undefined;
    return [{ type: 'content_block_stop', index }];
  }

  /** Returns the event with the reason of the end. */
  #ending(): HostEvent {
    const stop_reason = this.#hasCalls ? 'tool_use' : 'end_turn';
    return {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 0 },
    };
  }
}
