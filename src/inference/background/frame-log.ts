import { isObject, parseObject } from '../../base/json/read-json.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';
import type { BackgroundStatus } from './background-store.ts';

const FRAME_END = '\n\n';

const finals: Readonly<Record<string, BackgroundStatus>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
};

/** Collects the frames of a response that is made in the background, and follows its state. */
export class FrameLog implements BodyWriter {
  /** The frames that are not in the store yet. */
  waiting = '';
  lastNumber = -1;
  status: BackgroundStatus = 'in_progress';
  /** The latest response object of the stream, as it was sent. */
  envelope: string | undefined;
  /** The texts of the items that are done. */
  readonly items: string[] = [];
  readonly #decoder = new TextDecoder();
  #open = '';
  #data: string[] = [];

  write(piece: BodyPiece): undefined {
    this.#open += typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true });
    for (let end = this.#open.indexOf(FRAME_END); end >= 0; end = this.#open.indexOf(FRAME_END)) {
      this.#take(this.#open.slice(0, end + FRAME_END.length));
      this.#open = this.#open.slice(end + FRAME_END.length);
    }
  }

  get hasEnded(): boolean {
    return this.status !== 'in_progress';
  }

  /** Returns the frames that are not in the store yet. */
  takeWaiting(): string {
    const frames = this.waiting;
    this.waiting = '';
    this.#data = [];
    return frames;
  }

  /** Returns the data of the frames since the last call, and forgets their texts. */
  takeData(): string[] {
    const data = this.#data;
    this.#data = [];
    this.waiting = '';
    return data;
  }

  /** Comment lines keep connections alive, and are not kept. */
  #take(frame: string): void {
    const data = dataOf(frame);
    if (data === undefined) return;
    this.waiting += frame;
    this.#data.push(data);
    const event = parseObject(data);
    if (typeof event.sequence_number === 'number') this.lastNumber = event.sequence_number;
    const type = String(event.type);
    if (type === 'response.output_item.done') this.items.push(sliceJson(data, ['item']) ?? '{}');
    if (isObject(event.response)) this.envelope = sliceJson(data, ['response']);
    this.status = finals[type] ?? this.status;
  }
}

/** Returns the data of a frame. A comment has none. */
export const dataOf = (frame: string): string | undefined =>
  frame
    .split('\n')
    .find((line) => line.startsWith('data:'))
    ?.slice('data:'.length)
    .trim();
