import type { BodyPiece, BodyWriter } from '../../edge/http/reply.ts';
import type {
  BackgroundForm,
  BackgroundStatus,
  EventMeaning,
} from '../../translation/contract/background-form.ts';

const FRAME_END = '\n\n';

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
  readonly #read: (data: string) => EventMeaning;
  readonly #decoder = new TextDecoder();
  #open = '';
  #data: string[] = [];
  #isCanceled = false;

  constructor(form: Pick<BackgroundForm, 'reader'>) {
    this.#read = form.reader();
  }

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

  /** From now on, the end of the call to the provider is not a failure of the response. */
  cancel(): void {
    this.#isCanceled = true;
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
    const { number, envelope, item, status } = this.#read(data);
    if (status === 'failed' && this.#isCanceled) return;
    this.waiting += frame;
    this.#data.push(data);
    this.lastNumber = number ?? this.lastNumber;
    if (item !== undefined) this.items.push(item);
    this.envelope = envelope ?? this.envelope;
    this.status = status ?? this.status;
  }
}

/** Returns the data of a frame. A comment has none. */
export const dataOf = (frame: string): string | undefined =>
  frame
    .split('\n')
    .find((line) => line.startsWith('data:'))
    ?.slice('data:'.length)
    .trim();
