import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { BackgroundResponses } from '../../inference/background/background-responses.ts';
import type { BackgroundStore } from '../../inference/background/background-store.ts';
import { followFrames } from '../../inference/background/follow-frames.ts';
import { envelopeText } from '../../inference/responses/envelope-text.ts';
import type { OwnLoads } from '../../inference/responses/loads.ts';
import { responseNotFound } from '../../inference/responses/response-not-found.ts';
import type { ResponseLookup, ResponseStore } from '../../inference/responses/response-store.ts';
import type { OpenAnswers } from '../../inference/stream/open-answers.ts';
import type { KeptForm } from '../../translation/contract/kept-form.ts';

export type StoredAnswersParts = {
  store: ResponseStore;
  clock: Clock;
  background: BackgroundStore;
  open: Pick<OpenAnswers, 'add'>;
  canceling: Pick<BackgroundResponses, 'cancel'>;
};

/** The form in which one dialect stores its answers, and the style of its errors. */
export type StoredForm = { form: KeptForm; style: EnvelopeStyle };

/** The stored answers of one dialect, those in the background included. */
export class StoredAnswers {
  readonly #parts: StoredAnswersParts;
  readonly #form: KeptForm;
  readonly #style: EnvelopeStyle;

  constructor(parts: StoredAnswersParts, { form, style }: StoredForm) {
    this.#parts = parts;
    this.#form = form;
    this.#style = style;
  }

  /** Reports whether an id has the form of this dialect's answers. */
  isOwn(id: string): boolean {
    return id.startsWith(this.#form.idPrefix);
  }

  notFound(id: string): Refusal {
    return responseNotFound(id, this.#form);
  }

  /** Returns the text of an answer, as it was sent or in its present state. */
  async show(wanted: ResponseLookup, loads: OwnLoads): Promise<string | Refusal> {
    const { store, background } = this.#parts;
    const envelope = await envelopeText({ store, loads }, wanted, this.#form);
    if (!(envelope instanceof Refusal)) return envelope;
    return (await background.findBackground(wanted))?.envelope ?? envelope;
  }

  /**
   * Streams the events of an answer after an event. Returns undefined if it is not made in the background.
   */
  async follow(wanted: ResponseLookup, after: number): Promise<Reply | undefined> {
    const { background, clock, open } = this.#parts;
    const unfinished = await background.findBackground(wanted);
    return unfinished && followFrames(background, unfinished, { after, clock, style: this.#style, open });
  }

  /** Returns the refusal of a stream that cannot be read again. */
  async refuseFollowing(wanted: ResponseLookup): Promise<Refusal> {
    if (!(await this.#isStored(wanted))) return this.notFound(wanted.id);
    const { noun } = this.#form;
    return invalidParam(
      'stream',
      `is not supported: only a recent ${noun} in the background can be streamed again.`,
    );
  }

  async delete(wanted: ResponseLookup): Promise<Refusal | undefined> {
    const { store, background, canceling } = this.#parts;
    const canceled = await canceling.cancel(wanted);
    const isForgotten = canceled !== undefined && (await background.deleteBackground(wanted));
    const isDeleted = await store.deleteResponse(wanted);
    return isDeleted || isForgotten ? undefined : this.notFound(wanted.id);
  }

  /** Cancels an answer in the background, and returns its text. */
  async cancel(wanted: ResponseLookup): Promise<string | Refusal> {
    const outcome = await this.#parts.canceling.cancel(wanted);
    if (outcome) return outcome.envelope;
    if (!(await this.#isStored(wanted))) return this.notFound(wanted.id);
    const { article, noun } = this.#form;
    return new Refusal('invalid_request', {
      message: `Only ${article} ${noun} in the background can be canceled.`,
    });
  }

  async #isStored(wanted: ResponseLookup): Promise<boolean> {
    return (await this.#parts.store.measureResponse(wanted)) !== undefined;
  }
}
