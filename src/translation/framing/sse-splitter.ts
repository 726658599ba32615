/** An event of a stream. `event` is its name. */
export type SseFrame = { event: string | undefined; data: string };

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NONE = Number.POSITIVE_INFINITY;
const SPACE = 32;

/**
 * The longest event, in UTF-16 units.
 * Without a limit, an upstream that never ends a line or an event would fill the memory.
 */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;

/**
 * Splits a byte stream into server-sent events, wherever the chunks are cut. Each character is scanned once:
 * an unfinished line is kept in pieces and not searched again.
 */
export class SseSplitter {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The pieces of the unfinished line. */
  #pieces: string[] = [];
  /** The length of the unfinished line. */
  #lineLength = 0;
  #event: string | undefined;
  #data: string | undefined;
  /**
   * The last chunk ended in a carriage return, so a line feed at the start of the next chunk belongs to it.
   */
  #swallowLineFeed = false;

  /** Returns the events that the chunk completes. */
  push(chunk: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = [];
    this.#consume(this.#decoder.decode(chunk, { stream: true }), frames);
    return frames;
  }

  /** Ends the stream. A last event without its closing empty line still counts. */
  end(): SseFrame[] {
    const frames: SseFrame[] = [];
    this.#consume(this.#decoder.decode(), frames);
    if (this.#pieces.length > 0) this.#line(this.#takeLine(''), frames);
    this.#dispatch(frames);
    return frames;
  }

  /** Adds the events that the text completes to `frames`. */
  #consume(text: string, frames: SseFrame[]): void {
    let from = 0;
    if (this.#swallowLineFeed && text.length > 0) {
      if (text.charCodeAt(0) === LINE_FEED) from = 1;
      this.#swallowLineFeed = false;
    }
    let carriage = nextOf(text, '\r', from);
    for (;;) {
      if (carriage < from) carriage = nextOf(text, '\r', from);
      const end = Math.min(carriage, nextOf(text, '\n', from));
      if (end === NONE) break;
      this.#line(this.#takeLine(text.slice(from, end)), frames);
      from = end + 1;
      if (text.charCodeAt(end) !== CARRIAGE_RETURN) continue;
      if (from === text.length) this.#swallowLineFeed = true;
      else if (text.charCodeAt(from) === LINE_FEED) from++;
    }
    if (from < text.length) this.#keep(text.slice(from));
  }

  /** Keeps a piece of a line that the next chunk continues. */
  #keep(piece: string): void {
    this.#pieces.push(piece);
    this.#lineLength += piece.length;
    this.#refuseTooLong();
  }

  /** Returns the unfinished line with its last piece. */
  #takeLine(last: string): string {
    if (this.#pieces.length === 0) return last;
    const line = this.#pieces.join('') + last;
    this.#pieces = [];
    this.#lineLength = 0;
    return line;
  }

  #line(line: string, frames: SseFrame[]): void {
    if (line === '') {
      this.#dispatch(frames);
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment line
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== 'data' && field !== 'event') return;
    const start = line.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const value = colon < 0 ? '' : line.slice(start);
    if (field === 'event') this.#event = value;
    else this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    this.#refuseTooLong();
  }

  #refuseTooLong(): void {
    const dataLength = this.#data?.length ?? 0;
    if (dataLength + this.#lineLength > MAX_EVENT_LENGTH) throw new RangeError('a stream event is too long');
  }

  /** Adds the event that an empty line ends, if it has data. */
  #dispatch(frames: SseFrame[]): void {
    if (this.#data !== undefined) frames.push({ event: this.#event, data: this.#data });
    this.#event = undefined;
    this.#data = undefined;
  }
}

function nextOf(text: string, character: string, from: number): number {
  const index = text.indexOf(character, from);
  return index < 0 ? NONE : index;
}
