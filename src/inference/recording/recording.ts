import type { Refusal } from '../../base/errors/refusal.ts';
import type { AnswerRecording } from '../../edge/http/answer-recording.ts';
import { FrameNumberer } from './frame-numberer.ts';
import { ReaderPatience } from './reader-patience.ts';
import { RecordingLog } from './recording-log.ts';
import type { RecordedBody, RecordedHead, RecordingOptions } from './recording-options.ts';

const JSON_HEAD: RecordedHead = { status: 200, type: 'application/json' };

/**
 * The states of an answer.
 *
 * | state | the answer | next |
 * | - | - | - |
 * | `running` | The answer is not complete. | `made`, `failed`, `background` |
 * | `made` | The whole answer is known: its body, or the closing of its stream. | `charged`, `failed` |
 * | `charged` | The stream is charged, so its client and its readers get the closing. | `failed` |
 * | `failed` | The request has failed, so no retry gets the answer. | |
 * | `background` | A response in the background continues without the request. | |
 *
 * The log has a state of its own: an answer can be `charged` although its log is lost.
 */
type AnswerState = 'running' | 'made' | 'charged' | 'failed' | 'background';

/** Records one answer while it is made. The answer continues for a while after its last reader has left. */
export class Recording implements AnswerRecording {
  readonly requestId: string;
  readonly options: RecordingOptions;
  readonly frames: FrameNumberer;
  readonly log: RecordingLog;
  /**
   * Resolves to what the first client gets, or to its refusal. Undefined if a retry makes the answer anew.
   */
  readonly head = Promise.withResolvers<RecordedHead | Refusal | undefined>();
  /** The body of a whole answer. */
  body: RecordedBody | undefined;
  readonly #patience: ReaderPatience;
  readonly #ended = Promise.withResolvers<void>();
  #state: AnswerState = 'running';
  /** The closing as the client gets it. */
  #closing = '';
  #ending: Promise<void> | undefined;

  constructor(options: RecordingOptions) {
    this.options = options;
    this.requestId = options.requestId;
    this.frames = new FrameNumberer(options.idPrefix);
    this.#patience = new ReaderPatience(options);
    this.log = new RecordingLog(options, { onLost: () => this.#patience.endGrace() });
  }

  /** Aborts when nobody waits any more. */
  get patience(): AbortSignal {
    return this.#patience.signal;
  }

  /** Resolves when the answer has ended, and its end is in the store. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get hasFailed(): boolean {
    return this.#state === 'failed';
  }

  get isBackground(): boolean {
    return this.#state === 'background';
  }

  /** No retry can get the answer. */
  get isUseless(): boolean {
    return this.hasFailed || (this.log.isLost && this.body === undefined);
  }

  get isMadeAnew(): boolean {
    return this.options.replaysMs !== undefined;
  }

  /** Adds a reader. Returns a function that removes it. */
  join(): () => void {
    return this.#patience.join();
  }

  /** Begins the answer to the first client. The log has the head of a whole answer already. */
  begin(head: RecordedHead): void {
    this.head.resolve(head);
    if (this.body === undefined) this.log.begin(head);
  }

  /** Takes a piece of the stream. Returns what the client gets. */
  take(piece: string): string {
    if (this.#state === 'charged') return '';
    if (this.#state === 'made') return this.#takeClosing();
    const { sent, kept } = this.frames.push(piece);
    this.log.add(kept, this.frames.count);
    return sent;
  }

  async keepStream(closing: string): Promise<void> {
    const { sent, kept } = this.frames.push(closing);
    this.#state = 'made';
    this.#closing = sent;
    await this.log.keepStream({ lastFrame: this.frames.count, text: kept });
  }

  async keepWhole(body: RecordedBody): Promise<void> {
    this.#state = 'made';
    this.body = body;
    await this.log.keepWhole(JSON_HEAD, typeof body === 'string' ? body : new TextDecoder().decode(body));
  }

  /** Keeps the beginning of a response in the background, whose own log has the rest. */
  async keepBackground(id: string, queued: string): Promise<void> {
    await this.log.keepBackground(JSON_HEAD, { id, queued });
  }

  drop(): void {
    this.giveUp();
    this.log.lose();
  }

  /** The request has failed. */
  giveUp(): void {
    this.#state = 'failed';
    this.body = undefined;
  }

  /** Ends the answer as if its readers had left. */
  abandon(): void {
    this.#patience.end();
  }

  /** Ends the recording. A recording that was not kept has failed. */
  end(refusal?: Refusal): Promise<void> {
    this.#ending ??= this.#end(refusal);
    return this.#ending;
  }

  /** Ends the recording of a response in the background. */
  endAsBackground(): void {
    this.#state = 'background';
    this.#patience.stop();
    this.head.resolve(undefined);
    this.#ended.resolve();
    this.#ending = this.ended;
  }

  async #end(refusal: Refusal | undefined): Promise<void> {
    if (this.#state === 'running') this.giveUp();
    this.#patience.stop();
    this.head.resolve(refusal);
    if (this.hasFailed && !this.log.isLost) await this.log.fail(refusal);
    this.log.end();
    this.#ended.resolve();
  }

  /** The closing is written once the answer is charged, so from now on readers may see it. */
  #takeClosing(): string {
    this.#state = 'charged';
    this.log.showClosing();
    return this.#closing;
  }
}
