import { Refusal } from '../../base/errors/refusal.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ItemEnd } from '../stored/item-run.ts';
import { customIdOf } from './custom-id.ts';
import type { NativeItem } from './native-item.ts';
import type { Submission } from './native-store.ts';
import type { NativeBatch, NativeResult, NativeTransport } from './native-transport.ts';
import { complaintForLog } from './provider-complaint.ts';

export type KnownSubmission = Submission & { upstreamId: string };

export type OpenSubmissionParts = {
  known: KnownSubmission;
  provider: Provider;
  transport: NativeTransport;
  /** Processes the result of an item. Throws if the store is unavailable. */
  takeResult(nativeItem: NativeItem, result: NativeResult): Promise<ItemEnd>;
  /** Lists the numbers of all items without a result. Undefined if all items have joined. */
  listItems?: (() => Promise<readonly number[]>) | undefined;
  /**
   * Reports that the submission has ended. Returns false if another node has taken it over and still needs
   * its files.
   */
  end(): Promise<boolean>;
  onFailure(error: unknown): void;
};

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;
const SLOWER = 1.5;
/** The number of consecutive failed polls after which the submission is considered lost. */
const MAX_FAILURES = 60;

/** A batch at a provider. It is polled until it has ended, and then its results are read. */
export class OpenSubmission {
  readonly #parts: OpenSubmissionParts;
  readonly #waiting = new Map<string, NativeItem>();
  /** The numbers of all items that have joined. */
  readonly #joined = new Set<number>();
  #timer: Timer | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #failures = 0;
  #isPolling = false;
  /** `wanted`: the batch is canceled. `confirmed`: the provider knows of it. */
  #cancellation: 'none' | 'wanted' | 'confirmed' = 'none';
  #isClosed = false;
  #delivery: Promise<void> | undefined;

  constructor(parts: OpenSubmissionParts) {
    this.#parts = parts;
  }

  get batch(): number {
    return this.#parts.known.batch;
  }

  join(nativeItem: NativeItem): void {
    const { number } = nativeItem.item.lease;
    this.#waiting.set(customIdOf(this.#parts.known.mark, number), nativeItem);
    this.#joined.add(number);
  }

  start(): void {
    this.#schedule();
  }

  cancel(): void {
    if (this.#cancellation === 'none') this.#cancellation = 'wanted';
    this.#pauseMs = FIRST_PAUSE_MS;
    void this.#callOff();
    this.#schedule();
  }

  /** Stops polling; the next process resumes it. Resolves when no result is being written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#delivery?.catch(() => {}); // the reader reports the failure
  }

  get #native(): NativeBatch {
    return { provider: this.#parts.provider, upstreamId: this.#parts.known.upstreamId };
  }

  /** Schedules the next poll. Only one timer or poll is active at a time. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#isPolling) return;
    this.#timer = setTimeout(() => void this.#poll(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * SLOWER);
  }

  /** Polls once. Then it schedules the next poll, or ends the submission. */
  async #poll(): Promise<void> {
    this.#isPolling = true;
    const isOver = await this.#readIfEnded();
    if (this.#isClosed) return;
    if (isOver) {
      await this.#end(); // `#isPolling` stays, so no further poll is scheduled
      return;
    }
    this.#isPolling = false;
    this.#schedule();
  }

  /**
   * Reads the results if the batch has ended. Returns true if all were read, or the provider fails for good.
   */
  async #readIfEnded(): Promise<boolean> {
    try {
      if (this.#cancellation === 'wanted') await this.#callOff();
      const state = await this.#parts.transport.poll(this.#native);
      const isReady = state.kind === 'ended' && (await this.#isComplete());
      if (isReady) await this.#read(state.results);
      this.#failures = 0;
      return isReady;
    } catch (error) {
      this.#parts.onFailure(complaintForLog(error));
      // Failures of the store do not count.
      return error instanceof Refusal && ++this.#failures >= MAX_FAILURES;
    }
  }

  /**
   * Reports whether all items have joined. After a restart they join one by one, and a late item would miss
   * its result.
   */
  async #isComplete(): Promise<boolean> {
    const numbers = (await this.#parts.listItems?.()) ?? [];
    const isComplete = numbers.every((number) => this.#joined.has(number));
    if (!isComplete) this.#pauseMs = FIRST_PAUSE_MS;
    return isComplete;
  }

  async #callOff(): Promise<void> {
    try {
      await this.#parts.transport.cancel(this.#native);
      this.#cancellation = 'confirmed';
    } catch (error) {
      this.#parts.onFailure(complaintForLog(error)); // retried with the next poll
    }
  }

  async #read(results: readonly string[]): Promise<void> {
    for await (const result of this.#parts.transport.results(this.#native, results)) {
      if (this.#isClosed) return;
      const nativeItem = this.#waiting.get(result.customId);
      if (!nativeItem) continue;
      this.#delivery = this.#deliver(nativeItem, result);
      await this.#delivery;
      this.#waiting.delete(result.customId);
    }
  }

  async #deliver(nativeItem: NativeItem, result: NativeResult): Promise<void> {
    if (!nativeItem.isOver) nativeItem.end(this.#ownEnd(await this.#parts.takeResult(nativeItem, result)));
  }

  /** Turns a cancel that the gateway did not request into a retry. */
  #ownEnd(end: ItemEnd): ItemEnd {
    return end === 'canceled' && this.#cancellation === 'none' ? new Refusal('upstream_unavailable') : end;
  }

  /** Ends the submission. Items without a result are retried, unless the batch was canceled. */
  async #end(): Promise<void> {
    const { transport, end, onFailure } = this.#parts;
    const isOurs = await end().catch((error: unknown) => {
      onFailure(error);
      return true;
    });
    const missing = this.#cancellation === 'none' ? new Refusal('upstream_unavailable') : 'canceled';
    for (const nativeItem of this.#waiting.values()) nativeItem.end(missing);
    this.#waiting.clear();
    if (!isOurs) return;
    await transport.remove(this.#native).catch((error: unknown) => onFailure(complaintForLog(error)));
  }
}
