import type { Clock } from '../../base/lib/clock.ts';
import type { Place, Roster } from '../../base/lib/roster.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import {
  type ChargedTokens,
  type CountedTokens,
  chargedTokens,
  costOfTokens,
} from '../../money/ledger/cost-of-usage.ts';
import type { Outcome } from '../../money/ledger/entry.ts';
import type { Hold } from '../../money/ledger/hold.ts';
import type { HoldCheckpoint, Posting } from '../../money/ledger/ledger-store.ts';
import type { Rates } from '../../money/ledger/rates.ts';
import type { LimitLease } from '../../money/limits/limiter.ts';
import { outputTotal, type Usage } from '../../translation/canonical/usage.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import type { Charge } from './charge.ts';
import { noteUsage } from './note-usage.ts';
import type { Postings } from './postings.ts';

export type TabParts = {
  exchange: Exchange;
  /** What answered, and what was tried before. */
  trail: Pick<Trail, 'model' | 'attempts' | 'tried'>;
  hold: Hold;
  lease: LimitLease;
  /** The public id of the model that was asked for, and its rates. */
  model: string;
  rates: Rates;
  /** Of another model that served in its place. */
  ratesOf(servedModel: string): Rates;
  estimateInput(): number;
  /** The most output tokens that each of its answers may have; null: they have none. */
  outputCeiling: number | null;
  clock: Clock;
  /** As much of an upstream's count as can be. */
  believed(told: Usage): Usage;
  /** When it is posted. */
  settled(): void | Promise<void>;
};

/** What one request owes: opened with its hold, and closed by one posting or by none. */
export class Tab {
  readonly #postings: Pick<Postings, 'post' | 'void'>;
  readonly #parts: TabParts;
  readonly #open: Roster<Tab>;
  readonly #place: Place<Tab>;
  #state: 'open' | 'posting' | 'closed' = 'open';
  #usageSoFar: (() => Usage) | undefined;
  #noted: HoldCheckpoint | undefined;
  /** When it was opened, or last written down, on the monotonic clock. */
  notedAt: number;

  /** It is among the `open` ones until it is closed. */
  constructor(postings: Pick<Postings, 'post' | 'void'>, parts: TabParts, open: Roster<Tab>) {
    this.#postings = postings;
    this.#parts = parts;
    this.#open = open;
    this.#place = open.add(this);
    this.notedAt = parts.exchange.startedAtMs;
  }

  /** For whoever streams: how much has been used by now. */
  watch(usageSoFar: () => Usage): void {
    this.#usageSoFar = usageSoFar;
  }

  /** A client that has left has its place back at once. */
  left(): void {
    this.#parts.lease.release();
  }

  /** Writes down what was used, together with what is kept of the answer. */
  settle(charge: Charge): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    const usage = this.#parts.believed(charge.usage ?? this.#guess());
    const { exchange } = this.#parts;
    noteUsage(exchange, usage);
    const { outcome = exchange.request.signal.aborted ? 'left' : 'complete' } = charge;
    const posting = this.#posting(usage, outcome, charge);
    const posted = this.#postings.post(posting);
    this.#state = 'posting';
    return posted.then(
      () => this.#settled(posting),
      (error) => {
        this.#state = 'open';
        throw error;
      },
    );
  }

  /** The answer has ended: its place is free, and what was not settled costs nothing. */
  close(): void {
    const { hold, lease } = this.#parts;
    lease.release();
    if (this.#state !== 'open') return;
    lease.correct(0);
    this.#postings.void(hold);
    this.#end();
  }

  /** The request goes on without it: the hold stays, for whoever posts or voids it. */
  leave(): HoldCheckpoint {
    this.#end();
    return { posting: this.#posting(undefined, 'left'), produced: false };
  }

  /** As it stands; undefined: as it was written down before. */
  checkpoint(): HoldCheckpoint | undefined {
    const told = this.#usageSoFar?.();
    const usage = told && this.#parts.believed(told);
    const isSame =
      this.#noted && (usage ? outputTotal(usage) : 0) === this.#noted.posting.receipt.tokens.output;
    return isSame ? undefined : { posting: this.#posting(usage, 'left'), produced: usage !== undefined };
  }

  /** It is written down. */
  note(checkpoint: HoldCheckpoint, at: number): void {
    this.#noted = checkpoint;
    this.notedAt = at;
  }

  #settled({ receipt: { tokens } }: Posting): void | Promise<void> {
    this.#parts.lease.correct(tokens.input + tokens.output);
    this.#end();
    return this.#parts.settled();
  }

  #end(): void {
    this.#state = 'closed';
    this.#open.leave(this.#place);
  }

  #guess(): Usage {
    return { input: { uncached: this.#parts.estimateInput() }, output: { visible: 0 }, isEstimated: true };
  }

  #posting(usage: Usage | undefined, outcome: Outcome, kept?: Pick<Charge, 'response' | 'job'>): Posting {
    const { hold, model, exchange, trail, outputCeiling, clock } = this.#parts;
    const { model: servedModel, attempts, tried } = trail;
    const tokens = usage ? chargedTokens(usage) : NO_TOKENS;
    const { rates, costMicrocredits } = this.#price(tokens, servedModel);
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
        endpoint: exchange.route,
        endedAt: Math.max(clock.now(), hold.order.at), // the clock may have been set back
        outputCeiling,
      },
      response: kept?.response,
      job: kept?.job,
    };
  }

  /** At the rates of who served, unless the model that was asked for would have been cheaper. */
  #price(tokens: ChargedTokens, servedModel: string): { rates: Rates; costMicrocredits: number } {
    const { model, rates, ratesOf } = this.#parts;
    const costMicrocredits = costOfTokens(tokens, rates);
    if (servedModel === model) return { rates, costMicrocredits };
    const served = ratesOf(servedModel);
    const cost = costOfTokens(tokens, served);
    return cost < costMicrocredits ? { rates: served, costMicrocredits: cost } : { rates, costMicrocredits };
  }
}

const NO_TOKENS: CountedTokens = { input: 0, cachedInput: 0, cacheWriteInput: 0, output: 0, reasoning: 0 };
