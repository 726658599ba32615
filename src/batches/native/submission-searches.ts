import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { backoffMs } from '../../base/jobs/backoff-ms.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { findUnanswered } from './find-unanswered.ts';
import type { NativeStore, Submission } from './native-store.ts';
import type { NativeTransport } from './native-transport.ts';
import type { NativeWire } from './native-wire.ts';

export type MarkedSubmission = Submission & { mark: string };

export type SearchParts = {
  store: Pick<NativeStore, 'openSubmission' | 'listUpstreamIds'>;
  transportOf(wire: NativeWire): NativeTransport;
  clock: Pick<Clock, 'now'>;
  onFailure(error: unknown): void;
};

/**
 * The end of a search for a submission of an earlier process. `absent`: the provider does not have it.
 * `unmarked`: an older version sent it without a mark, so nothing can find it. `taken-over`: another node has
 * it.
 */
export type Recovery = { kind: 'found'; upstreamId: string } | { kind: 'absent' | 'unmarked' | 'taken-over' };

/** The pauses while the store cannot take an id. */
const PAUSES = { firstMs: 250, maxMs: 10_000 };

/** The searches of one lane for submissions that got no answer. They end together. */
export class SubmissionSearches {
  readonly #parts: SearchParts;
  readonly #ending = new AbortController();

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Ends all searches. The submissions stay in the store for the next process. */
  end(): void {
    this.#ending.abort();
  }

  /** Reports whether a search failed with this error because all searches were ended. */
  hasEnded(error: unknown): boolean {
    return this.#ending.signal.aborted && Object(error).name === 'AbortError';
  }

  /** Returns the provider's id of a submission. Returns undefined if the provider does not have it. */
  find(
    submission: MarkedSubmission,
    { provider, isSettled }: { provider: Provider; isSettled: boolean },
  ): Promise<string | undefined> {
    const { store, transportOf } = this.#parts;
    return findUnanswered({
      ...this.#parts,
      submission,
      provider,
      isSettled,
      transport: transportOf(submission.wire),
      listKnown: () => store.listUpstreamIds(provider.id),
      signal: this.#ending.signal,
    });
  }

  /**
   * Stores the provider's id of a submission, as soon as the store is available. No process would read its
   * results otherwise. Returns false if another node has the submission.
   */
  async keepId(id: number, upstreamId: string): Promise<boolean> {
    const { store, onFailure } = this.#parts;
    for (let failures = 0; ; failures++) {
      try {
        return await store.openSubmission(id, upstreamId);
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        onFailure(error);
      }
      await wait(backoffMs(failures, PAUSES), undefined, { signal: this.#ending.signal });
    }
  }

  /** Finds a submission that an earlier process sent. Stores the provider's id if that process did not. */
  async recover(id: number, submission: Submission, provider: Provider): Promise<Recovery> {
    const { mark } = submission;
    if (submission.upstreamId !== null) return { kind: 'found', upstreamId: submission.upstreamId };
    if (mark === null) return { kind: 'unmarked' };
    const upstreamId = await this.find({ ...submission, mark }, { provider, isSettled: false });
    if (upstreamId === undefined) return { kind: 'absent' };
    return (await this.keepId(id, upstreamId)) ? { kind: 'found', upstreamId } : { kind: 'taken-over' };
  }
}
