import { NodeClosed } from '../../base/errors/node-closed.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { HoldCheckpoint, LedgerStore, Posting } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';

export type PostingsParts = {
  ledger: Pick<LedgerStore, 'post' | 'replay' | 'void' | 'checkpoint'>;
  spool: PostingSpool;
  /** Returns the reason why the store accepts no writes, or undefined if it accepts them. */
  storeProblem(): Promise<string | undefined>;
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /**
   * Logs three events: the first posting that goes to the spool, a spool that fails, and the recovery of the
   * store.
   */
  log(event: 'spooling' | 'spool-failed' | 'spool-drained', facts: Record<string, unknown>): void;
};

/**
 * New requests are refused beyond either limit, so that the postings outside the store stay few and recent.
 */
const MAX_AWAY_MS = 30_000;
const MAX_WAITING = 10_000;
/** The number of postings in one commit, small enough not to delay requests. */
const POSTINGS_PER_COMMIT = 200;

/**
 * Posts tabs. A posting that the store cannot take goes to the spool, and later from the spool to the store.
 * Either way it is durable before the last byte of its answer is sent.
 */
export class Postings {
  readonly #parts: PostingsParts;
  /**
   * Requests whose posting failed in the store and in the spool. It is unknown what the store has of them, so
   * their holds are kept until it works again.
   */
  readonly #undecided = new Set<string>();
  /** Holds of such requests that are to be voided once the store works again. */
  readonly #unvoided: Hold[] = [];
  /** The promises, by request, that resolve when its posting has moved from the spool to the store. */
  readonly #moved = new Map<string, PromiseWithResolvers<void>>();
  #awaySince: number | undefined;
  #failure: Unavailable | undefined;

  constructor(parts: PostingsParts) {
    this.#parts = parts;
  }

  post(posting: Posting): Promise<void> {
    return this.#parts.ledger.post(posting).catch((error) => this.#spool(posting, error));
  }

  /**
   * Resolves when the posting of the request has moved from the spool to the store. Undefined if the posting
   * is not in the spool.
   */
  whenMoved(requestId: string): Promise<void> | undefined {
    if (!this.#parts.spool.waiting.has(requestId)) return undefined;
    return this.#moved.getOrInsertComputed(requestId, () => Promise.withResolvers<void>()).promise;
  }

  void(hold: Hold): MaybeLater<void> {
    if (!this.#undecided.delete(hold.order.requestId)) return this.#parts.ledger.void(hold);
    this.#unvoided.push(hold);
  }

  async checkpoint(holds: readonly HoldCheckpoint[]): Promise<void> {
    if (this.#awaySince !== undefined) await this.#drain();
    await this.#parts.ledger.checkpoint(holds);
  }

  /** Returns the reason to refuse new requests. */
  problem(): Unavailable | undefined {
    if (this.#awaySince === undefined) return undefined;
    if (this.#failure) return this.#failure;
    const awayMs = this.#parts.now() - this.#awaySince;
    const { size } = this.#parts.spool.waiting;
    if (awayMs <= MAX_AWAY_MS && size < MAX_WAITING) return undefined;
    return new Unavailable(
      `The store has been unavailable for ${Math.round(awayMs / 1_000)} s. Settlements that wait for it: ${size}`,
      'see the log for the reason',
    );
  }

  #spool(posting: Posting, error: unknown): Promise<void> {
    const { spool, log, now } = this.#parts;
    // A batch's item is written together with its result or not at all, and is retried.
    if (!(error instanceof Unavailable) || posting.job) throw error;
    if (this.#awaySince === undefined && !spool.isRefusing) log('spooling', { problem: error.sentence });
    this.#awaySince ??= now();
    return spool.append(posting).catch((failure: Unavailable) => this.#failSpooling(posting, failure));
  }

  #failSpooling({ hold }: Posting, failure: Unavailable): never {
    if (!this.#failure && !this.#parts.spool.isRefusing) {
      this.#parts.log('spool-failed', { problem: failure.sentence });
      this.#failure = failure;
    }
    this.#undecided.add(hold.order.requestId);
    throw failure;
  }

  /**
   * Moves postings from the spool to the store. It can be repeated, since the store ignores postings that it
   * already has.
   */
  async #drain(): Promise<void> {
    const { ledger, spool, storeProblem, log } = this.#parts;
    if ((await storeProblem()) !== undefined) return;
    this.#failure = undefined;
    for (const hold of this.#unvoided.splice(0)) await ledger.void(hold);
    let drained = 0;
    while (spool.waiting.size > 0) {
      const batch = [...spool.waiting].slice(0, POSTINGS_PER_COMMIT);
      await Promise.all(batch.map(([, posting]) => this.#postLate(posting)));
      await spool.remove(batch.map(([requestId]) => requestId));
      for (const [requestId] of batch) this.#reportMoved(requestId);
      drained += batch.length;
    }
    this.#awaySince = undefined;
    if (!spool.isRefusing) log('spool-drained', { settlements: drained });
  }

  #reportMoved(requestId: string): void {
    this.#moved.get(requestId)?.resolve();
    this.#moved.delete(requestId);
  }

  /**
   * Other nodes have ended the holds of a node that they closed, so its settlements are posted without them.
   */
  #postLate(posting: Posting): Promise<void> {
    const { ledger } = this.#parts;
    return ledger.post(posting).catch((error) => {
      if (!(error instanceof NodeClosed)) throw error;
      return ledger.replay([posting]);
    });
  }
}
