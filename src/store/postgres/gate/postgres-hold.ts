import type { JobIdentity } from '../../../base/jobs/job.ts';
import type { Hold, HoldOrder } from '../../../money/ledger/hold.ts';
import type { LimitCount } from '../../../money/limits/limit-count.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';
import type { CounterRow } from '../budgets/budget-state-rows.ts';
import type { Departure } from './departures.ts';
import type { GateOp } from './gate-op.ts';

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
  #hasPlace: boolean;
  #isLeaving = false;
  #isCorrected: boolean;
  /** The actual number of tokens, until it is sent. */
  #tokens: number | undefined;
  #isUncounted = false;
  #voided: HoldOrder | undefined;
  /** The operation that still collects what ends in this microtask. */
  #collecting: Promise<void> | undefined;
  /** Resolves when the latest operation is counted. */
  #counted: Promise<void> = Promise.resolve();

  constructor(admission: Admission, giveBack: GiveBack) {
    this.#admission = admission;
    this.#giveBack = giveBack;
    this.#hasPlace = admission.limits?.isConcurrent === true;
    this.#isCorrected = admission.limits === undefined;
  }

  correct(tokens: number): void {
    if (this.#isCorrected) return;
    this.#isCorrected = true;
    if (tokens === this.#admission.limits?.tokens) return;
    this.#tokens = tokens;
    void this.#send();
  }

  release(): void {
    if (!this.#hasPlace) return;
    this.#hasPlace = false;
    this.#isLeaving = true;
    void this.#send();
  }

  withdraw(): void {
    if (this.#admission.limits === undefined) return;
    this.release();
    this.correct(0);
    this.#isUncounted = true;
    void this.#send();
  }

  /**
   * Ends the count together with the posting of its hold. The caller sends the result.
   * Returns undefined if there is nothing to send.
   */
  depart(tokens: number): Departure | undefined {
    const { limits, takenAt, node } = this.#admission;
    const corrected = this.#isCorrected || tokens === limits?.tokens ? undefined : tokens;
    const place = this.#hasPlace;
    this.#isCorrected = true;
    this.#hasPlace = false;
    if (!place && corrected === undefined) return undefined;
    const returns = { takenAt, place, tokens: corrected, everything: false };
    const counted = Promise.withResolvers<void>();
    return { op: { kind: 'release', credit: undefined, limits, returns }, node, counted };
  }

  /** Ends the count together with the void of its hold. The row of a hold is deleted. */
  voided(order: HoldOrder | undefined): Promise<void> {
    this.#voided = order;
    this.correct(0);
    this.release();
    if (order) return this.#send();
    return this.#counted;
  }

  /** A microtask collects the ends that one request reports one after the other. */
  #send(): Promise<void> {
    if (this.#collecting) return this.#collecting;
    this.#collecting = Promise.resolve().then(() => {
      this.#collecting = undefined;
      const { limits, takenAt, node } = this.#admission;
      const credit = this.#voided;
      const returns = {
        takenAt,
        place: this.#isLeaving,
        tokens: this.#tokens,
        everything: this.#isUncounted,
      };
      this.#isLeaving = false;
      this.#tokens = undefined;
      this.#isUncounted = false;
      this.#voided = undefined;
      return this.#giveBack({ kind: credit ? 'void' : 'release', credit, limits, returns }, node);
    });
    this.#counted = this.#collecting;
    return this.#collecting;
  }
}

/** A hold of this process. It is posted or voided once. */
export class PostgresHold implements Hold {
  readonly order: HoldOrder;
  readonly microcredits: number;
  readonly node: string;
  readonly count: PostgresCount;
  isOpen = true;
  /** The hold has a row in `open_hold`. */
  isKept: boolean;
  /** The batch item of the hold, once the item is at a provider. */
  away: JobIdentity | undefined;
  /** The checkpoint that is being written. */
  saving: Promise<unknown> | undefined;
  /** The pending or completed posting. */
  posted: Promise<void> | undefined;
  /** The posting was tried and may be in the spool, so it counts even if the node is closed meanwhile. */
  isSpooled = false;
  /** The rows of budgets that hold the amount. */
  budgets: readonly CounterRow[] | undefined;

  constructor(admission: Admission & { credit: HoldOrder }, count: PostgresCount) {
    this.order = admission.credit;
    this.microcredits = admission.microcredits;
    this.node = admission.node;
    this.isKept = admission.microcredits > 0;
    this.count = count;
  }

  /** Omits fields that are useless in another process. */
  toJSON(): Hold {
    return { order: this.order, microcredits: this.microcredits };
  }
}
