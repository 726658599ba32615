import type { Refusal } from '../../base/errors/refusal.ts';
import type { LogSight } from './follow-log.ts';
import { failedEnd, madeEnd } from './recording-end.ts';
import type { RecordedHead, RecordingOptions } from './recording-options.ts';
import type { RecordingEnd, WrittenPart } from './recording-store.ts';
import { WaitingFrames } from './waiting-frames.ts';

/**
 * Writes an answer to the store, and knows which of its parts readers may see.
 *
 * | state | the log |
 * | - | - |
 * | `open` | The answer is being made, so parts can follow. |
 * | `ended` | Everything that readers may see is in the store. |
 * | `lost` | Nobody can read the answer again. Its client still gets it. |
 *
 * An `open` log ends or is lost, and an `ended` log can still be lost.
 */
export class RecordingLog {
  readonly #options: RecordingOptions;
  readonly #onLost: () => void;
  readonly #waiting: WaitingFrames;
  #state: LogSight['state'] = 'open';
  /** The number of parts that readers may see. */
  #visible = 0;
  #changed = Promise.withResolvers<void>();
  #head: RecordedHead | undefined;
  /** Writes run one after another. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: RecordingOptions, { onLost }: { onLost: () => void }) {
    const { isShared, isResumable, openMemory } = options;
    this.#options = options;
    this.#onLost = onLost;
    this.#waiting = new WaitingFrames({
      isFollowed: isShared || isResumable,
      openMemory,
      onDue: () => this.#flush(),
    });
  }

  /** The log as its readers see it now. */
  get sight(): LogSight {
    return { parts: this.#visible, state: this.#state, changed: this.#changed.promise };
  }

  get isLost(): boolean {
    return this.#state === 'lost';
  }

  /** Writes the head of a stream, so that readers in other processes know it. */
  begin(head: RecordedHead): void {
    this.#head = head;
    if (this.#options.isShared && !this.isLost) this.#write([{ lastFrame: 0, text: '' }]);
  }

  /** From now on, frames are written while the answer runs. */
  follow(): void {
    this.#waiting.follow();
  }

  /** Adds frames of a stream. `lastFrame` is the number of the last one. */
  add(frames: string, lastFrame: number): void {
    if (frames === '') return;
    const bytes = Buffer.byteLength(frames);
    if (this.#makeRoom(bytes, 'unbooked')) this.#waiting.add(frames, { bytes, lastFrame });
  }

  /** Keeps a stream, whose closing is its last part. */
  async keepStream(closing: WrittenPart): Promise<void> {
    if (this.#makeRoom(Buffer.byteLength(closing.text), 'unbooked'))
      await this.#keep([...this.#waiting.take(), closing]);
  }

  /** Keeps a whole answer. The exchange has booked its memory. */
  async keepWhole(head: RecordedHead, text: string): Promise<void> {
    if (!this.#makeRoom(Buffer.byteLength(text), 'booked')) return;
    this.#head = head;
    await this.#keep([{ lastFrame: 0, text }]);
  }

  /** Keeps the beginning of a response in the background, whose own log has the rest. */
  async keepBackground(head: RecordedHead, { id, queued }: { id: string; queued: string }): Promise<void> {
    this.#head = head;
    await this.#keep([{ lastFrame: 0, text: queued }], id);
  }

  /** Lets readers see the closing, because the answer is charged. */
  showClosing(): void {
    this.#visible++;
    this.#wake();
  }

  /** Writes the end of an answer that failed. */
  async fail(refusal: Refusal | undefined): Promise<void> {
    const parts = this.#waiting.take();
    await this.#writing;
    if (this.isLost) return;
    const end = failedEnd(this.#options, { refusal, hasBegun: this.#head !== undefined });
    try {
      const isThere = await this.#send(parts, end);
      if (isThere) this.#visible += parts.length;
      else this.#state = 'lost';
    } catch (error) {
      this.#options.onFailure(error);
      this.#options.onUnwritten();
      this.#state = 'lost'; // readers get an error after the frames that they have
    }
  }

  /** Ends the log. Nothing is written afterwards. */
  end(): void {
    if (!this.isLost) this.#state = 'ended';
    this.#waiting.drop();
    this.#wake();
  }

  /** Loses the log, and removes the answer from the store. */
  lose(): void {
    if (this.isLost) return;
    this.#state = 'lost';
    this.#waiting.drop();
    this.#options.room.free();
    const { store, requestId, onFailure, onUnwritten } = this.#options;
    this.#writing = this.#writing
      .then(() => store.remove(requestId))
      .catch((error: unknown) => {
        onFailure(error);
        onUnwritten();
      });
    this.#wake();
    this.#onLost();
  }

  /** Takes room for bytes of the answer. The log is lost if there is none. */
  #makeRoom(bytes: number, memory: 'booked' | 'unbooked'): boolean {
    if (this.isLost) return false;
    if (this.#options.room.take(bytes) && (memory === 'booked' || this.#waiting.book(bytes))) return true;
    this.lose();
    return false;
  }

  #flush(): void {
    const parts = this.#waiting.take();
    if (parts.length > 0) this.#write(parts);
  }

  #write(parts: readonly WrittenPart[]): void {
    this.#writing = this.#writing
      .then(async () => {
        if (this.isLost) return;
        const isThere = await this.#send(parts);
        if (!isThere || this.isLost) return this.lose();
        this.#waiting.unbook(parts);
        this.#visible += parts.length;
        this.#wake();
      })
      .catch((error: unknown) => {
        this.#options.onFailure(error);
        this.lose();
      });
  }

  /** Writes the last parts and the end. Readers see the very last part once the answer is charged. */
  async #keep(parts: readonly WrittenPart[], backgroundId: string | null = null): Promise<void> {
    await this.#writing;
    if (this.isLost) return;
    try {
      const isThere = await this.#send(parts, madeEnd(this.#options, backgroundId));
      if (!isThere) return this.lose();
      this.#visible += parts.length - 1;
      await this.#options.room.trim();
      this.#wake();
    } catch (error) {
      this.#options.onFailure(error);
      this.lose();
    }
  }

  /** Sends parts to the store. Resolves to false if the answer is not there any more. */
  #send(parts: readonly WrittenPart[], end?: RecordingEnd): Promise<boolean> {
    const { store, requestId, holder } = this.#options;
    const head = this.#head ? JSON.stringify(this.#head) : null;
    return store.write({ requestId, holder }, { parts, head, end });
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}
