import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { HoldCheckpoint, LedgerStore, Posting } from '../../money/ledger/ledger-store.ts';
import type { PostingSpool } from '../../money/ledger/posting-spool.ts';

export type PostingsParts = {
  ledger: Pick<LedgerStore, 'post' | 'void' | 'checkpoint'>;
  spool: PostingSpool;
  /** Why the store takes no writes; undefined: it does. */
  storeProblem(): Promise<string | undefined>;
  /** Milliseconds on a clock that only goes on. */
  now(): number;
  /** The first posting since all was well goes to the spool, or not even there; and all is well again. */
  tell(event: 'spooling' | 'spool-failed' | 'spool-drained', facts: Record<string, unknown>): void;
};

/** Past either nothing new is begun: what is not in the store is little, and not old. */
const LONGEST_AWAY_MS = 30_000;
const MOST_WAITING = 10_000;
/** As many as a commit may take without keeping requests waiting. */
const AT_A_TIME = 200;

/**
 * Where tabs are posted. What the store cannot take goes to the spool, and from there to the store when it can again: either way it is
 * durable before an answer's last byte leaves.
 */
export class Postings {
  readonly #parts: PostingsParts;
  /** Requests of which neither took the posting. Their holds are kept until the store works: nobody knows what it has of them. */
  readonly #undecided = new Set<string>();
  readonly #kept: Hold[] = [];
  #awaySince: number | undefined;
  #failure: Unavailable | undefined;

  constructor(parts: PostingsParts) {
    this.#parts = parts;
  }

  post(posting: Posting): Promise<void> {
    return this.#parts.ledger.post(posting).catch((error) => this.#spool(posting, error));
  }

  void(hold: Hold): void {
    if (this.#undecided.delete(hold.order.requestId)) this.#kept.push(hold);
    else this.#parts.ledger.void(hold);
  }

  async checkpoint(holds: readonly HoldCheckpoint[]): Promise<void> {
    if (this.#awaySince !== undefined) await this.#drain();
    await this.#parts.ledger.checkpoint(holds);
  }

  /** Why nothing new should be begun. */
  problem(): Unavailable | undefined {
    if (this.#awaySince === undefined) return undefined;
    if (this.#failure) return this.#failure;
    const awayMs = this.#parts.now() - this.#awaySince;
    const { size } = this.#parts.spool.waiting;
    if (awayMs <= LONGEST_AWAY_MS && size < MOST_WAITING) return undefined;
    return new Unavailable(
      `The store has been away for ${Math.round(awayMs / 1_000)} s, and ${size} settlements wait for it`,
      'see the log for what keeps it from writing',
    );
  }

  #spool(posting: Posting, error: unknown): Promise<void> {
    const { spool, tell, now } = this.#parts;
    // A batch's item is written with its result or not at all, and tried again.
    if (!(error instanceof Unavailable) || posting.job) throw error;
    if (this.#awaySince === undefined) tell('spooling', { problem: error.sentence });
    this.#awaySince ??= now();
    return spool.append(posting).catch((failure: Unavailable) => this.#fail(posting, failure));
  }

  #fail({ hold }: Posting, failure: Unavailable): never {
    if (!this.#failure) this.#parts.tell('spool-failed', { problem: failure.sentence });
    this.#failure = failure;
    this.#undecided.add(hold.order.requestId);
    throw failure;
  }

  /** Any number of times: what the store has already it does not take twice. */
  async #drain(): Promise<void> {
    const { ledger, spool, storeProblem, tell } = this.#parts;
    if ((await storeProblem()) !== undefined) return;
    this.#failure = undefined;
    for (const hold of this.#kept.splice(0)) ledger.void(hold);
    let drained = 0;
    while (spool.waiting.size > 0) {
      const batch = [...spool.waiting].slice(0, AT_A_TIME);
      await Promise.all(batch.map(([, posting]) => ledger.post(posting)));
      await spool.remove(batch.map(([requestId]) => requestId));
      drained += batch.length;
    }
    this.#awaySince = undefined;
    tell('spool-drained', { settlements: drained });
  }
}
