import { Refusal } from '../../errors/refusal.ts';
import type { Provider } from '../../providers/providers.ts';
import type { ItemEnd } from '../batch-runner.ts';
import { customIdOf, type ItemAway } from './native-lane.ts';
import type { Submission } from './native-store.ts';
import type { NativeBatch, NativeResult, NativeTransport } from './native-transport.ts';

export type OpenSubmissionParts = {
  known: Submission & { upstreamId: string };
  provider: Provider;
  transport: NativeTransport;
  /** Makes of a result what becomes of the item. */
  take(away: ItemAway, result: NativeResult): Promise<ItemEnd>;
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
  #timer: Timer | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #failures = 0;
  #isCanceled = false;
  #isClosed = false;

  constructor(parts: OpenSubmissionParts) {
    this.#parts = parts;
  }

  get batch(): number {
    return this.#parts.known.batch;
  }

  join(away: ItemAway): void {
    this.#waiting.set(customIdOf(away), away);
  }

  start(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * SLOWER);
  }

  cancel(): void {
    this.#isCanceled = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#parts.transport.cancel(this.#native).catch(this.#parts.onFailure);
    clearTimeout(this.#timer);
    this.start();
  }

  /** The provider goes on, and the next process asks it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  get #native(): NativeBatch {
    return { provider: this.#parts.provider, upstreamId: this.#parts.known.upstreamId };
  }

  async #look(): Promise<void> {
    const { transport, onFailure } = this.#parts;
    try {
      const state = await transport.poll(this.#native);
      this.#failures = 0;
      if (state.kind === 'running') return this.start();
      await this.#read(state.results);
    } catch (error) {
      onFailure(error instanceof Refusal ? error.code : error);
      if (++this.#failures < MOST_FAILURES && !this.#isClosed) return this.start();
    }
    if (!this.#isClosed) await this.#end();
  }

  async #read(results: readonly string[]): Promise<void> {
    for await (const result of this.#parts.transport.results(this.#native, results)) {
      if (this.#isClosed) return;
      const away = this.#waiting.get(result.customId);
      if (!away) continue;
      away.end(this.#ofOurs(await this.#parts.take(away, result)));
      this.#waiting.delete(result.customId);
    }
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
