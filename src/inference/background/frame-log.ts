import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';
import type {
  BackgroundForm,
  BackgroundStatus,
  EventMeaning,
} from '../../translation/contract/background-form.ts';
import { dataOfFrame } from './data-of-frame.ts';

const FRAME_END = '\n\n';

/** Collects the frames of a response that is made in the background, and follows its state. */
export class FrameLog implements BodyWriter {
  lastNumber = -1;
  status: BackgroundStatus = 'in_progress';
  /** The latest response object of the stream, as it was sent. */
  envelope: string | undefined;
  /** The texts of the items that are done. */
  readonly items: string[] = [];
  readonly #read: (data: string) => EventMeaning;
  readonly #decoder = new TextDecoder();
  /** The start of a frame whose end has not arrived. */
  #unfinished = '';
  #searchedTo = 0;
  /** The frames since the last call that took them, and the data of each. */
  #waiting = '';
  #data: string[] = [];
  #isCanceled = false;

  constructor(form: Pick<BackgroundForm, 'reader'>) {
    this.#read = form.reader();
  }

  write(piece: BodyPiece): undefined {
    this.#unfinished += typeof piece === 'string' ? piece : this.#decoder.decode(piece, { stream: true });
    for (;;) {
      const end = this.#unfinished.indexOf(FRAME_END, this.#searchedTo);
      if (end < 0) break;
      this.#add(this.#unfinished.slice(0, end + FRAME_END.length));
      this.#unfinished = this.#unfinished.slice(end + FRAME_END.length);
      this.#searchedTo = 0;
    }
    this.#searchedTo = Math.max(0, this.#unfinished.length - 1);
  }

  get hasEnded(): boolean {
    return this.status !== 'in_progress';
  }

  /** From now on, the end of the call to the provider is not a failure of the response. */
  cancel(): void {
    this.#isCanceled = true;
  }

  get hasWaiting(): boolean {
    return this.#waiting !== '';
  }

  /** Returns the frames since the last call, and forgets them. */
  takeWaiting(): string {
    const frames = this.#waiting;
    this.#waiting = '';
    this.#data = [];
    return frames;
  }

  /** Returns the data of the frames since the last call, and forgets their texts. */
  takeData(): string[] {
    const data = this.#data;
    this.#data = [];
    this.#waiting = '';
    return data;
  }

  /** Reads a frame. A comment, which only keeps the connection alive, is dropped. */
  #add(frame: string): void {
    const data = dataOfFrame(frame);
    if (data === undefined) return;
    const { number, envelope, item, status } = this.#read(data);
    if (status === 'failed' && this.#isCanceled) return;
    this.#waiting += frame;
    this.#data.push(data);
    this.lastNumber = number ?? this.lastNumber;
    if (item !== undefined) this.items.push(item);
    this.envelope = envelope ?? this.envelope;
    this.status = status ?? this.status;
  }
}
