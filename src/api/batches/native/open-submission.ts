import { Refusal } from '../../../base/errors/refusal.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import type { ItemEnd } from '../batch-runner.ts';
import type { ItemAway } from './item-away.ts';
import type { Submission } from './native-store.ts';
import type { NativeBatch, NativeResult, NativeTransport } from './native-transport.ts';

export type KnownSubmission = Submission & { upstreamId: string };

export type OpenSubmissionParts = {
  known: KnownSubmission;
  provider: Provider;
  transport: NativeTransport;
  /** Makes of a result what becomes of the item. Throws where that cannot be written down now. */
  take(away: ItemAway, result: NativeResult): Promise<ItemEnd>;
  /** Numbers of its items without a result, in this process or not; undefined: all have joined. */
  listItems?: (() => Promise<readonly number[]>) | undefined;
  /** Nothing more comes of it. */
  ended(): Promise<void>;
  onFailure(error: unknown): void;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
const SLOWER = 1.5;
/** A provider that cannot be asked for so long, one time after the other, is taken not to have it any more. */
const MOST_FAILURES = 60;

/** A batch that a provider has: asked for now and then, and when it has ended read to its last line. */
export class OpenSubmission {
  readonly #parts: OpenSubmissionParts;
  readonly #waiting = new Map<string, ItemAway>();
  /** Numbers of all that have ever joined. */
  readonly #joined = new Set<number>();
  #timer: Timer | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #failures = 0;
  #isLooking = false;
  #isCanceled = false;
  /** The provider knows that it is canceled. */
  #isCalledOff = false;
  #isClosed = false;
  #delivery: Promise<void> | undefined;

  constructor(parts: OpenSubmissionParts) {
    this.#parts = parts;
  }

  get batch(): number {
    return this.#parts.known.batch;
  }

  join(away: ItemAway): void {
    this.#waiting.set(away.customId, away);
    this.#joined.add(away.item.lease.number);
  }

  start(): void {
    this.#schedule();
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    void this.#callOff();
    this.#schedule();
  }

  /** The provider goes on, and the next process asks it. Resolves when no result is being written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#delivery?.catch(() => {}); // whoever reads tells of it
  }

  get #native(): NativeBatch {
    return { provider: this.#parts.provider, upstreamId: this.#parts.known.upstreamId };
  }

  /** One timer at a time; whoever looks sets the next one. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isLooking) return;
    this.#timer = setTimeout(() => void this.#look(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * SLOWER);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    const isOver = await this.#isOver();
    if (this.#isClosed) return;
    if (isOver) return this.#end(); // nobody looks again
    this.#isLooking = false;
    this.#schedule();
  }

  /** Whether nothing more comes of it: all results were read, or the provider cannot be asked. */
  async #isOver(): Promise<boolean> {
    try {
      if (this.#isCanceled && !this.#isCalledOff) await this.#callOff();
      const state = await this.#parts.transport.poll(this.#native);
      const isReady = state.kind === 'ended' && (await this.#isComplete());
      if (isReady) await this.#read(state.results);
      this.#failures = 0;
      return isReady;
    } catch (error) {
      this.#parts.onFailure(error instanceof Refusal ? error.code : error);
      // A store that is away says nothing of the provider.
      return error instanceof Refusal && ++this.#failures >= MOST_FAILURES;
    }
  }

  /** Items come back one by one after a restart: who is not here yet would miss its result. */
  async #isComplete(): Promise<boolean> {
    const numbers = (await this.#parts.listItems?.()) ?? [];
    const isComplete = numbers.every((number) => this.#joined.has(number));
    if (!isComplete) this.#pauseMs = FIRST_PAUSE_MS;
    return isComplete;
  }

  async #callOff(): Promise<void> {
    try {
      await this.#parts.transport.cancel(this.#native);
      this.#isCalledOff = true;
    } catch (error) {
      this.#parts.onFailure(error instanceof Refusal ? error.code : error); // asked again with the next look
    }
  }

  async #read(results: readonly string[]): Promise<void> {
    for await (const result of this.#parts.transport.results(this.#native, results)) {
      if (this.#isClosed) return;
      const away = this.#waiting.get(result.customId);
      if (!away) continue;
      this.#delivery = this.#deliver(away, result);
      await this.#delivery;
      this.#waiting.delete(result.customId);
    }
  }

  async #deliver(away: ItemAway, result: NativeResult): Promise<void> {
    if (!away.isOver) away.end(this.#ofOurs(await this.#parts.take(away, result)));
  }

  /** What somebody else canceled is to be sent again. */
  #ofOurs(ended: ItemEnd): ItemEnd {
    return ended === 'canceled' && !this.#isCanceled ? new Refusal('upstream_unavailable') : ended;
  }

  /** Whoever got no line is sent again. */
  async #end(): Promise<void> {
    const { transport, ended, onFailure } = this.#parts;
    await ended().catch(onFailure);
    const missing = this.#isCanceled ? 'canceled' : new Refusal('upstream_unavailable');
    for (const away of this.#waiting.values()) away.end(missing);
    this.#waiting.clear();
    await transport.remove(this.#native).catch(onFailure);
  }
}
