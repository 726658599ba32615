import type { Budget, Spender } from './budget.ts';
import { BudgetCounters, type BudgetSource, type CounterPlace } from './budget-counters.ts';
import type { BudgetState } from './budget-state.ts';

/** A request that counts against budgets, unless `isBudgeted` is false. */
type BudgetedRequest = Spender & { requestId: string; at: number; isBudgeted?: boolean | undefined };
/** `short`: the budgets that have too little free. */
type BudgetRoom = { room: number; short: BudgetState[] };

const UNBOUNDED: BudgetRoom = { room: Number.POSITIVE_INFINITY, short: [] };

/** Keeps the budgets of one account, and the amounts that open requests take of them. */
export class HeldBudgets {
  readonly #counters: BudgetCounters;
  /**
   * The amounts that open requests take, by the id of the request: their holds, or their charges while these
   * are written.
   */
  readonly #taken = new Map<string, { places: readonly CounterPlace[]; microcredits: number }>();

  constructor(source: BudgetSource) {
    this.#counters = new BudgetCounters(source);
  }

  get isEmpty(): boolean {
    return this.#counters.budgets.length === 0;
  }

  /** Returns the budgets that a request counts for, with their amounts at its time. */
  statesOf(request: BudgetedRequest): BudgetState[] {
    return this.#counters.statesOf(request);
  }

  /** Returns what open requests hold of a budget, by target. */
  heldOf(budget: Budget, at: number): Map<string, number> {
    return this.#counters.heldOf(budget, at);
  }

  /** Returns the smallest free amount of all budgets of a request, and the budgets with less than `least`. */
  roomFor(request: BudgetedRequest, least: number): BudgetRoom {
    return request.isBudgeted === false || this.isEmpty ? UNBOUNDED : this.#counters.roomFor(request, least);
  }

  /** Takes an amount of each budget that the request counts for. */
  reserve(request: BudgetedRequest, microcredits: number): void {
    if (microcredits === 0 || this.isEmpty) return;
    const places = this.#counters.placesOf(request);
    this.#counters.addHeld(places, microcredits);
    this.#taken.set(request.requestId, { places, microcredits });
  }

  /** Gives back what the request has taken. */
  release({ requestId }: BudgetedRequest): void {
    const taken = this.#taken.size === 0 ? undefined : this.#taken.get(requestId);
    if (!taken) return;
    this.#taken.delete(requestId);
    this.#counters.addHeld(taken.places, -taken.microcredits);
  }

  /** Counts a charge whose entry is written, in place of what the request has taken. */
  onWritten(request: BudgetedRequest, microcredits: number): void {
    if (!this.isEmpty) this.#counters.spend(request, microcredits);
    this.release(request);
  }
}
