import { randomPartOf } from '../request/random-part-of.ts';

const FRAME_END = '\n\n';

/** `sent` goes to the client, and `kept` is what other readers get. */
export type NumberedText = { sent: string; kept: string };

/**
 * Splits the text of a stream into frames, and gives each an id if the stream has ids. Comment lines are
 * sent, and not kept.
 */
export class FrameNumberer {
  /** The number of complete frames. */
  count = 0;
  readonly #idPrefix: string | undefined;
  /** The start of a frame whose end has not arrived. */
  #unfinished = '';
  #searchedTo = 0;

  /** `idPrefix`: the text before the number in each id. */
  constructor(idPrefix: string | undefined) {
    this.#idPrefix = idPrefix;
  }

  push(text: string): NumberedText {
    this.#unfinished += text;
    let sent = '';
    let kept = '';
    for (;;) {
      // An empty line between frames keeps the connection alive, as a comment does.
      if (this.#unfinished.startsWith('\n')) this.#unfinished = this.#unfinished.replace(/^\n+/, '');
      const end = this.#unfinished.indexOf(FRAME_END, this.#searchedTo);
      if (end < 0) break;
      const frame = this.#unfinished.slice(0, end + FRAME_END.length);
      this.#unfinished = this.#unfinished.slice(end + FRAME_END.length);
      this.#searchedTo = 0;
      const { comment, numbered } = this.#number(frame);
      sent += comment + numbered;
      kept += numbered;
    }
    this.#searchedTo = Math.max(0, this.#unfinished.length - 1);
    return this.#idPrefix === undefined ? { sent: text, kept } : { sent, kept };
  }

  #number(frame: string): { comment: string; numbered: string } {
    if (!frame.startsWith(':') && !frame.includes('\n:'))
      return { comment: '', numbered: this.#withId(frame) };
    const lines = frame.slice(0, -FRAME_END.length).split('\n');
    const comments = lines.filter((line) => line.startsWith(':'));
    const fields = lines.filter((line) => !line.startsWith(':'));
    return {
      comment: comments.length > 0 ? comments.join('\n') + FRAME_END : '',
      numbered: fields.length > 0 ? this.#withId(fields.join('\n') + FRAME_END) : '',
    };
  }

  #withId(frame: string): string {
    this.count++;
    return this.#idPrefix === undefined ? frame : `id: ${this.#idPrefix}${this.count}\n${frame}`;
  }
}

/** Returns the frames of a part that come after a frame. `lastFrame` is the number of the part's last one. */
export function framesAfter(text: string, lastFrame: number, after: number): string {
  const frames = text.split(/(?<=\n\n)/);
  const start = after - (lastFrame - frames.length);
  return start <= 0 ? text : frames.slice(start).join('');
}

/** Returns the text before the number in the ids of a stream's frames, which no other stream has. */
export const frameIdPrefix = (requestId: string): string => `${randomPartOf(requestId)}-`;
