import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import type { BackgroundForm, BackgroundStatus } from '../../translation/contract/background-form.ts';
import { answerPrepared } from '../gateway/answer-inference.ts';
import type { Inference } from '../request/inference.ts';
import type { AddedFrames, BackgroundEnd, BackgroundStore, ResponseHold } from './background-store.ts';
import { FrameLog } from './frame-log.ts';

/** Frames reach the store this often, so that any node can show them. */
const FLUSH_EVERY_MS = 250;

export type BackgroundJobParts = {
  id: string;
  holder: string;
  /** The envelope before the answer has begun. */
  queued: string;
  form: BackgroundForm;
  exchange: Exchange;
  controller: AbortController;
  store: BackgroundStore;
  /** Returns the end of a state, with the time until which it is kept. */
  endOf(status: BackgroundStatus, envelope: string): BackgroundEnd;
};

/** One response that this process makes. */
export class BackgroundJob {
  readonly id: string;
  readonly exchange: Exchange;
  readonly #parts: BackgroundJobParts;
  readonly #log: FrameLog;
  #inference: Inference | undefined;
  #isCanceled = false;
  #isLeft = false;
  #flushing: Promise<unknown> = Promise.resolve();
  /** The envelope that polls show. */
  #shownEnvelope: string | undefined;
  /** The envelope that the store has. */
  #storedEnvelope: string | undefined;

  constructor(parts: BackgroundJobParts) {
    this.id = parts.id;
    this.exchange = parts.exchange;
    this.#parts = parts;
    this.#log = new FrameLog(parts.form);
  }

  /**
   * Ends the response as canceled. The text that the model has written is charged, as if a client had left.
   */
  cancel(): void {
    this.#isCanceled = true;
    this.#log.cancel();
    this.#parts.controller.abort();
  }

  /**
   * Ends the work without an end of the response. Another process makes it again, and nothing is charged
   * here.
   */
  leave(reason: Error): void {
    this.#isLeft = true;
    this.#inference?.tab?.abandon(reason);
    this.#parts.controller.abort();
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  /**
   * Answers a prepared request, and writes its frames and its end to the store. Returns the refusal of a
   * failed one.
   */
  async run(inference: Inference): Promise<Refusal | undefined> {
    this.#inference = inference;
    const timer = setInterval(() => this.#flush(), FLUSH_EVERY_MS);
    let refusal: Refusal | undefined;
    try {
      const reply = await answerPrepared(inference);
      if (reply instanceof Refusal) refusal = reply;
      else await asWritten(reply.body)?.(this.#log);
    } catch (error) {
      this.exchange.reportFailure(error);
      refusal = refusalOfError(error);
    } finally {
      clearInterval(timer);
    }
    return this.end(refusal);
  }

  /** Writes the end of a response that was made before. */
  async endAs(status: BackgroundStatus, envelope: string): Promise<void> {
    await this.#parts.store.endBackground(this.#hold, this.#parts.endOf(status, envelope));
  }

  /** Writes the end of the response. */
  async end(refusal: Refusal | undefined): Promise<Refusal | undefined> {
    await this.#flushing;
    if (this.#isLeft) return undefined;
    const { store, endOf } = this.#parts;
    this.#flush();
    await this.#flushing;
    const [status, envelope] = this.#final(refusal);
    if (status === 'failed' && this.#log.lastNumber < 0) await this.#addFailure(envelope, refusal);
    await store.endBackground(this.#hold, endOf(status, envelope));
    if (refusal && !this.#isCanceled) noteRefusal(this.exchange.notes, refusal);
    return this.#isCanceled ? undefined : refusal;
  }

  #final(refusal: Refusal | undefined): [BackgroundStatus, string] {
    const { hasEnded, status, envelope, items } = this.#log;
    const { queued, form } = this.#parts;
    const latest = envelope ?? queued;
    if (hasEnded && envelope) return [status, envelope];
    if (this.#isCanceled) return ['cancelled', form.cancelled(latest, items)];
    const failure = { items, refusal: refusal ?? new Refusal('internal_error') };
    return ['failed', form.failed(latest, failure)];
  }

  /** Adds the failure to a stream without events, so that its readers learn of it. */
  async #addFailure(envelope: string, refusal = new Refusal('internal_error')): Promise<void> {
    const { form, queued } = this.#parts;
    const log = new FrameLog(form);
    log.write(form.failedStream(envelope, refusal));
    const added = { lastNumber: log.lastNumber, frames: log.takeWaiting(), envelope: queued };
    await this.#add(added).catch((error: unknown) => this.exchange.reportFailure(error));
  }

  get #hold(): ResponseHold {
    return { id: this.id, holder: this.#parts.holder };
  }

  /** Writes one part after the other. Polls show the response in progress until its end is written. */
  #flush(): void {
    const { envelope, lastNumber, hasEnded } = this.#log;
    if (!this.#log.hasWaiting || !envelope || this.#isLeft) return;
    if (!hasEnded) this.#shownEnvelope = envelope;
    this.#shownEnvelope ??= this.#parts.form.inProgress(this.#parts.queued);
    const added = { lastNumber, frames: this.#log.takeWaiting(), envelope: this.#shownEnvelope };
    this.#flushing = this.#flushing
      .then(() => this.#add(added))
      .catch((error: unknown) => this.exchange.reportFailure(error));
  }

  /** Adds frames. The envelope can be as long as the request, and rarely changes. */
  async #add({ envelope, ...added }: Omit<AddedFrames, 'status'> & { envelope: string }): Promise<void> {
    const changedEnvelope = envelope === this.#storedEnvelope ? undefined : envelope;
    const written = { ...added, envelope: changedEnvelope, status: 'in_progress' } as const;
    await this.#parts.store.addFrames(this.#hold, written);
    this.#storedEnvelope = envelope;
  }
}
