import type { Refusal } from '../../base/errors/refusal.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { AnswerRecording } from '../../edge/http/exchange.ts';
import { FrameNumberer } from './frame-numberer.ts';
import type { OneRecording, RecordedBody, RecordedHead } from './one-recording.ts';
import { ReaderPatience } from './reader-patience.ts';
import { failedEnd, madeEnd } from './recording-end.ts';
import type { RecordedPart } from './recording-store.ts';

/** Frames reach the store this often. */
const FLUSH_AFTER_MS = 100;
/** More than this does not wait in memory for a reader. */
const MAX_PENDING = 256 * 1024;

/**
 * An answer that is being made. Its frames go to the store, and it continues for a while
 * after its last reader has left.
 */
export class Recording implements AnswerRecording {
  readonly requestId: string;
  readonly parts: OneRecording;
  readonly frames: FrameNumberer;
  /**
   * Resolves to what the first client gets, or to its refusal.
   * It is undefined if a retry makes the answer anew.
   */
  readonly head = Promise.withResolvers<RecordedHead | Refusal | undefined>();
  /** The body of a whole answer. */
  body: RecordedBody | undefined;
  /** It ended with an error, or has no log any more. */
  hasFailed = false;
  hasEnded = false;
  /** Everything that readers may see is in the store. */
  isOver = false;
  isLost = false;
  isBackground = false;
  /** The parts in the store that readers may see. */
  visible = 0;
  readonly #patience: ReaderPatience;
  readonly #ended = Promise.withResolvers<void>();
  #head: RecordedHead | undefined;
  #pending = '';
  #pendingLast = 0;
  /** The closing as the client gets it. */
  #closing: string | undefined;
  #isCharged = false;
  #flushTimer: Timer | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #bytes = 0;
  #memory: Booking | undefined;
  #changed = Promise.withResolvers<void>();
  #isFollowed: boolean;

  constructor(parts: OneRecording) {
    this.parts = parts;
    this.requestId = parts.requestId;
    this.frames = new FrameNumberer(parts.idPrefix);
    this.#patience = new ReaderPatience(parts);
    this.#isFollowed = parts.isShared || parts.isResumable;
  }

  /** Aborts when nobody waits any more. */
  get patience(): AbortSignal {
    return this.#patience.signal;
  }

  /** Resolves when the answer has ended, and its end is in the store. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Resolves at the next change of what readers may see. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** No retry can get the answer. */
  get isUseless(): boolean {
    return this.hasFailed || (this.isLost && this.body === undefined);
  }

  get isMadeAnew(): boolean {
    return this.parts.replaysMs !== undefined;
  }

  get byteLength(): number {
    return this.#bytes;
  }

  /** Adds a reader. Returns a function that removes it. */
  join(): () => void {
    return this.#patience.join();
  }

  /** Frames are written to the store while the answer runs, because somebody else reads them. */
  follow(): void {
    this.#isFollowed = true;
    this.#flush();
  }

  begin(head: RecordedHead): void {
    this.#head = head;
    this.head.resolve(head);
    if (this.parts.isShared && this.body === undefined && !this.isLost)
      this.#write([{ lastFrame: 0, text: '' }]);
  }

  /** Takes a piece of the stream. Returns what the client gets. */
  take(piece: string): string {
    if (this.#closing !== undefined) return this.#takeClosing();
    const { sent, kept } = this.frames.push(piece);
    this.#add(kept);
    return sent;
  }

  async keepStream(closing: string): Promise<void> {
    const { sent, kept } = this.frames.push(closing);
    this.#closing = sent;
    if (!this.#fits(Buffer.byteLength(kept))) return;
    const parts = this.#takePending();
    await this.#keep([...parts, { lastFrame: this.frames.count, text: kept }]);
  }

  async keepWhole(body: RecordedBody): Promise<void> {
    this.body = body;
    // The exchange has booked a whole answer.
    if (!this.#fits(Buffer.byteLength(body), 'booked')) return;
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    this.#head = { status: 200, type: 'application/json' };
    await this.#keep([{ lastFrame: 0, text }]);
  }

  /** Keeps the beginning of a response in the background, whose own log has the rest. */
  async keepBackground(backgroundId: string, queued: string): Promise<void> {
    this.#head = { status: 200, type: 'application/json' };
    await this.#keep([{ lastFrame: 0, text: queued }], backgroundId);
  }

  drop(): void {
    this.giveUp();
    this.#lose();
  }

  /** The request has failed. */
  giveUp(): void {
    this.#closing = undefined;
    this.body = undefined;
    this.hasFailed = true;
  }

  /** Ends the answer as if its readers had left. */
  abandon(): void {
    this.#patience.end();
  }

  /** Ends the recording. A recording that was not kept has failed. */
  async end(refusal?: Refusal): Promise<void> {
    if (this.hasEnded) return this.ended;
    const isMade = !this.hasFailed && (this.#closing ?? this.body) !== undefined;
    this.hasFailed = !isMade;
    this.hasEnded = true;
    this.#patience.stop();
    clearTimeout(this.#flushTimer);
    this.head.resolve(refusal);
    if (!isMade && !this.isLost) await this.#fail(refusal);
    this.isOver = true;
    this.#memory?.free();
    this.#wake();
    this.#ended.resolve();
  }

  /** Ends the recording of a response in the background. */
  endAsBackground(): void {
    this.isBackground = true;
    this.hasEnded = true;
    this.#patience.stop();
    this.head.resolve(undefined);
    this.#ended.resolve();
  }

  /** The closing is written once the answer is charged, so from now on readers may see it. */
  #takeClosing(): string {
    if (this.#isCharged) return '';
    this.#isCharged = true;
    this.visible++;
    this.#wake();
    return this.#closing!;
  }

  #add(frames: string): void {
    if (frames === '' || this.isLost) return;
    if (!this.#fits(Buffer.byteLength(frames))) return;
    this.#pending += frames;
    this.#pendingLast = this.frames.count;
    if (this.#pending.length > MAX_PENDING) this.#flush();
    else if (this.#isFollowed) this.#flushTimer ??= setTimeout(() => this.#flush(), FLUSH_AFTER_MS);
  }

  #fits(bytes: number, memory: 'booked' | 'unbooked' = 'unbooked'): boolean {
    if (this.isLost) return false;
    this.#bytes += bytes;
    const isWithin = this.#bytes <= this.parts.room.maxBytes && this.parts.room.take(bytes);
    if (isWithin && (memory === 'booked' || this.#book(bytes))) return true;
    this.#lose();
    return false;
  }

  #book(bytes: number): boolean {
    this.#memory ??= this.parts.openMemory();
    return this.#memory.growNow(bytes);
  }

  /** Gives back what the frames have booked, which are in the store now. */
  #unbook(parts: readonly Omit<RecordedPart, 'part'>[]): void {
    const memory = this.#memory;
    for (const { text } of parts) memory?.shrink(memory.held - Buffer.byteLength(text));
  }

  /** Nobody can read the answer again. Its client still gets it. */
  #lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#pending = '';
    this.#memory?.free();
    clearTimeout(this.#flushTimer);
    this.#writing = this.#writing
      .then(() => this.parts.store.remove(this.requestId))
      .catch((error: unknown) => {
        this.parts.onFailure(error);
        this.parts.onUnwritten();
      });
    this.#wake();
    this.#patience.endGrace();
  }

  #takePending(): Omit<RecordedPart, 'part'>[] {
    const text = this.#pending;
    this.#pending = '';
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    return text === '' ? [] : [{ lastFrame: this.#pendingLast, text }];
  }

  #flush(): void {
    const parts = this.#takePending();
    if (parts.length > 0) this.#write(parts);
  }

  #write(parts: readonly Omit<RecordedPart, 'part'>[]): void {
    const { store, holder } = this.parts;
    const head = this.#headText;
    this.#writing = this.#writing
      .then(async () => {
        if (this.isLost) return;
        const isThere = await store.write({ requestId: this.requestId, holder }, { parts, head });
        if (!isThere || this.isLost) return this.#lose();
        this.#unbook(parts);
        this.visible += parts.length;
        this.#wake();
      })
      .catch((error: unknown) => {
        this.parts.onFailure(error);
        this.#lose();
      });
  }

  async #keep(parts: readonly Omit<RecordedPart, 'part'>[], backgroundId: string | null = null) {
    const { store, holder, room } = this.parts;
    await this.#writing;
    if (this.isLost) return;
    const end = madeEnd(this.parts, { bytes: this.#bytes, backgroundId });
    try {
      const held = { requestId: this.requestId, holder };
      const isThere = await store.write(held, { parts, head: this.#headText, end });
      if (!isThere) return this.#lose();
      this.visible += parts.length - 1;
      await room.trim();
      this.#wake();
    } catch (error) {
      this.parts.onFailure(error);
      this.#lose();
    }
  }

  async #fail(refusal: Refusal | undefined): Promise<void> {
    const { store, holder } = this.parts;
    const parts = this.#takePending();
    await this.#writing;
    if (this.isLost) return;
    const end = failedEnd(this.parts, { refusal, hasBegun: this.#head !== undefined });
    try {
      await store.write({ requestId: this.requestId, holder }, { parts, head: this.#headText, end });
      this.visible += parts.length;
    } catch (error) {
      this.parts.onFailure(error);
      this.parts.onUnwritten();
      this.isLost = true; // readers get an error after the frames that they have
    }
  }

  get #headText(): string | null {
    return this.#head ? JSON.stringify(this.#head) : null;
  }

  #wake(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}
