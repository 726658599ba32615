import type { HoldOrder } from '../../../money/ledger/hold.ts';
import type { LimitCount } from '../../../money/limits/limit-count.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import type { GateOp, GateReturn } from './gate-op.ts';
import type { CountRelease } from './release-sender.ts';

/** The amounts that an admission has taken: credit, and a count against the limits. Each part ends once. */
export type Admission = {
  credit: HoldOrder | undefined;
  limits: LimitedRequest | undefined;
  microcredits: number;
  /** The node that has it. A closed node has lost it. */
  node: string;
  takenAt: number;
};

/**
 * Sends operations that give back what an admission took.
 * It resolves when they are counted, or when the store is away.
 */
export type GiveBack = (op: GateOp, node: string) => Promise<void>;

/**
 * A request's count against the limits.
 * Its end is sent together with the end of its hold, if both end at the same time.
 */
export class PostgresCount implements LimitCount {
  readonly #admission: Admission;
  readonly #giveBack: GiveBack;
  /** True while the request counts against the concurrency limit. */
  #hasPlace: boolean;
  /** True while the tokens that count are the estimate of the admission. */
  #isEstimate: boolean;
  /** The ends that leave with the next operation, while a microtask collects them. */
  #returns: GateReturn | undefined;
  /** The hold that ends with the next operation. */
  #voided: HoldOrder | undefined;
  /** Resolves when the latest operation is counted. */
  #counted: Promise<void> = Promise.resolve();

  constructor(admission: Admission, giveBack: GiveBack) {
    this.#admission = admission;
    this.#giveBack = giveBack;
    this.#hasPlace = admission.limits?.isConcurrent === true;
    this.#isEstimate = admission.limits !== undefined;
  }

  correct(tokens: number): void {
    if (!this.#isEstimate) return;
    this.#isEstimate = false;
    if (tokens !== this.#admission.limits?.tokens) this.#collect().tokens = tokens;
  }

  release(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#collect().endsConcurrency = true;
  }

  withdraw(): void {
    if (this.#admission.limits === undefined) return;
    this.release();
    this.correct(0);
    this.#collect().isUncounted = true;
  }

  /**
   * Ends the count together with the posting of its hold, and returns what the caller sends. Undefined if
   * there is nothing to send.
   */
  endWithPosting(actualTokens: number): CountRelease | undefined {
    const { limits, takenAt, node } = this.#admission;
    const tokens = this.#isEstimate && actualTokens !== limits?.tokens ? actualTokens : undefined;
    const endsConcurrency = this.#hasPlace;
    this.#isEstimate = false;
    this.#hasPlace = false;
    if (!endsConcurrency && tokens === undefined) return undefined;
    const returns = { takenAt, endsConcurrency, tokens, isUncounted: false };
    const done = Promise.withResolvers<void>();
    return { op: { kind: 'release', limits, returns }, node, done };
  }

  /** Ends the count together with the void of its hold, whose row is deleted. */
  voided(order: HoldOrder | undefined): Promise<void> {
    this.#voided = order;
    this.correct(0);
    this.release();
    if (order) this.#collect();
    return this.#counted;
  }

  /** Returns the ends that a microtask sends. It collects those that a request reports one after another. */
  #collect(): GateReturn {
    if (this.#returns) return this.#returns;
    const { limits, takenAt, node } = this.#admission;
    const returns: GateReturn = { takenAt, endsConcurrency: false, tokens: undefined, isUncounted: false };
    this.#returns = returns;
    this.#counted = Promise.resolve().then(() => {
      const credit = this.#voided;
      this.#returns = undefined;
      this.#voided = undefined;
      const op: GateOp = credit
        ? { kind: 'void', credit, limits, returns }
        : { kind: 'release', limits, returns };
      return this.#giveBack(op, node);
    });
    return returns;
  }
}
