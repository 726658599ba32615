import type { Clock } from '../../base/lib/clock.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Roster, RosterEntry } from '../../base/lib/roster.ts';
import { waitingSignal } from '../../edge/http/waiting-signal.ts';
import type { Outcome } from '../../money/ledger/entry.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { HoldCheckpoint, Posting } from '../../money/ledger/ledger-store.ts';
import type { LimitCount } from '../../money/limits/limit-count.ts';
import { outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import type { BillableAnswer } from './billable-answer.ts';
import { noteCharged, noteUsage } from './note-usage.ts';
import type { Postings } from './postings.ts';
import { type PricedTab, priceServed } from './price-served.ts';

/** The facts of a request that is to be settled. */
export type TabOpening = PricedTab & {
  /** The model that answered, and the attempts before it. */
  trail: Pick<Trail, 'model' | 'attempts' | 'tried'>;
  hold: Hold;
  limitCount: LimitCount;
  /** Estimates the input tokens of an answer without a usage report. */
  prompt: { estimate(): number };
  /** The most output tokens of each answer. `null` means that the answers have no tokens. */
  outputCeiling: number | null;
  clock: Clock;
  /** Decides which part of an upstream's usage report is plausible. */
  belief: { settled(reported: Usage): Usage };
};

/** Writes the end of a tab to the ledger. */
type TabWriter = Pick<Postings, 'post' | 'void'>;

/** Tracks what one request owes. A tab opens with its hold, and closes with one posting or with none. */
export class Tab {
  readonly #postings: TabWriter;
  readonly #opening: TabOpening;
  readonly #open: Roster<Tab>;
  readonly #place: RosterEntry<Tab>;
  #state: 'open' | 'posting' | 'closed' = 'open';
  #abandoned: Error | undefined;
  #usageSoFar: (() => Usage) | undefined;
  #unpriced: readonly string[] = [];
  #noted: HoldCheckpoint | undefined;
  /** The time at which the tab was opened or last written to the store, on the monotonic clock. */
  notedAt: number;

  /** Adds the tab to `open`, where it stays until it is closed. */
  constructor(postings: TabWriter, opening: TabOpening, open: Roster<Tab>) {
    this.#postings = postings;
    this.#opening = opening;
    this.#open = open;
    this.#place = open.add(this);
    this.notedAt = opening.exchange.startedAtMs;
  }

  /** Registers the source of the usage so far, for streams. */
  watch(usageSoFar: () => Usage): void {
    this.#usageSoFar = usageSoFar;
  }

  /** Ends the count against the concurrency limit when the client has left. */
  onClientLeft(): void {
    this.#opening.limitCount.release();
  }

  /** Posts the usage, together with the stored answer. */
  settle(answered: BillableAnswer): Promise<void> {
    if (this.#abandoned) return Promise.reject(this.#abandoned);
    if (this.#state === 'closed') return Promise.resolve();
    const usage = this.#opening.belief.settled(answered.usage ?? this.#estimated());
    const { exchange } = this.#opening;
    noteUsage(exchange, usage);
    const { outcome = waitingSignal(exchange).aborted ? 'left' : 'complete' } = answered;
    const posting = this.#posting(usage, outcome, answered);
    noteCharged(exchange, posting.receipt, this.#unpriced);
    const { trace } = exchange;
    const startedAtMs = trace ? performance.now() : 0;
    const posted = this.#postings.post(posting);
    this.#state = 'posting';
    return posted.then(
      () => {
        trace?.settled(startedAtMs, outcome, 'written');
        this.#settled(posting);
      },
      (error) => {
        trace?.settled(startedAtMs, outcome, 'failed');
        this.#state = 'open';
        throw error;
      },
    );
  }

  /**
   * Closes the tab when the answer has ended. It ends the count against the concurrency limit. An unsettled
   * request costs nothing. The place is free when the result is there.
   */
  close(): MaybeLater<void> {
    const { hold, limitCount } = this.#opening;
    if (this.#state !== 'open' || this.#abandoned) return limitCount.release();
    const voided = this.#postings.void(hold);
    limitCount.release();
    limitCount.correct(0);
    this.#end();
    return voided;
  }

  /**
   * Leaves the hold to another node, which ends it. From now on the request cannot be settled; `reason` says
   * why.
   */
  abandon(reason: Error): void {
    this.#abandoned = reason;
    this.#open.leave(this.#place);
  }

  /** Detaches the tab from the request. The hold stays for a later posting or void. */
  leave(): HoldCheckpoint {
    this.#end();
    const { detailPrices, model, rates } = this.#opening;
    const prices = detailPrices && { ...detailPrices.admitted(model), rows: rates.rows };
    return { posting: { ...this.#posting(undefined, 'left'), ...(prices && { prices }) }, produced: false };
  }

  /** Returns the current state of the hold, or undefined if it has not changed since it was last written. */
  checkpoint(): HoldCheckpoint | undefined {
    const soFar = this.#usageSoFar?.();
    const usage = soFar && this.#opening.belief.settled(soFar);
    const produced = usage !== undefined;
    const isSame =
      this.#noted?.produced === produced &&
      (usage ? outputTotal(usage) : 0) === this.#noted.posting.receipt.tokens.output;
    return isSame ? undefined : { posting: this.#posting(usage, 'left'), produced };
  }

  /** Records that the checkpoint is written. */
  note(checkpoint: HoldCheckpoint, at: number): void {
    this.#noted = checkpoint;
    this.notedAt = at;
  }

  #settled({ receipt: { tokens }, costMicrocredits, chargedMicrocredits }: Posting): void {
    const { notes } = this.#opening.exchange;
    notes.costMicrocredits = costMicrocredits;
    if (chargedMicrocredits !== costMicrocredits) notes.chargedMicrocredits = chargedMicrocredits;
    this.#opening.limitCount.correct(tokens.input + tokens.output);
    this.#end();
  }

  #end(): void {
    this.#state = 'closed';
    this.#open.leave(this.#place);
  }

  #estimated(): Usage {
    return {
      input: { uncached: this.#opening.prompt.estimate() },
      output: { visible: 0 },
      isEstimated: true,
    };
  }

  #posting(
    usage: Usage | undefined,
    outcome: Outcome,
    stored?: Pick<BillableAnswer, 'response' | 'job'>,
  ): Posting {
    const { hold, model, exchange, trail, outputCeiling, clock, isSimulated } = this.#opening;
    const { model: servedModel, attempts, tried } = trail;
    const { tokens, rates, costMicrocredits, detail, unpriced, priceRow } = priceServed(usage, this.#opening);
    this.#unpriced = unpriced;
    return {
      hold,
      costMicrocredits,
      receipt: {
        keyId: hold.order.keyId,
        requestId: hold.order.requestId,
        model,
        servedModel,
        tokens,
        rates,
        heldMicrocredits: hold.microcredits,
        attempts,
        tried: [...tried],
        outcome,
        isEstimated: usage?.isEstimated === true,
        ...(usage?.isImplausible && { isImplausible: true }),
        ...(isSimulated && { isSimulated }),
        ...(detail && { detail }),
        ...(priceRow && { priceRow }),
        ...(hold.order.labels && { labels: hold.order.labels }),
        endpoint: exchange.route,
        endedAt: Math.max(clock.now(), hold.order.at), // the clock may have been set back
        outputCeiling,
      },
      response: stored?.response,
      job: stored?.job,
    };
  }
}
