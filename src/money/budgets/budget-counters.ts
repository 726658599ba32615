import { type Budget, limitAt, type Spender, targetsOf } from './budget.ts';
import type { BudgetState } from './budget-state.ts';
import { binOf, firstBin } from './budget-window.ts';

/** The amounts of one bin of a counter. */
export type BinSpend = { bin: number; used: number };
/** The budgets of an account and their counters, from which they are loaded. */
export type BudgetSource = {
  budgets(): readonly Budget[];
  /** Returns the amounts of a target, stored or being written. */
  bins(budget: Budget, target: string): readonly BinSpend[];
};

/** A request's key, labels and time. */
type TimedSpender = Spender & { at: number };

type Bin = { used: number; held: number };
/** The bins of one target of a budget. */
type Counter = { budget: string; bins: Map<number, Bin> };
/** A place of an amount in a counter. */
export type CounterPlace = { counter: string; target: string; bin: number };

/** Counters beyond this number are loaded again on next use, unless they hold an amount. */
const MAX_COUNTERS = 10_000;

/**
 * The counters of an account's budgets, in memory.
 * They equal the stored ones plus what is held and being written.
 */
export class BudgetCounters {
  readonly #source: BudgetSource;
  readonly #counters = new Map<string, Counter>();

  constructor(source: BudgetSource) {
    this.#source = source;
  }

  get budgets(): readonly Budget[] {
    return this.#source.budgets();
  }

  /** Returns the budgets that a request counts for, with their amounts at its time. */
  statesOf(spender: TimedSpender): BudgetState[] {
    return this.budgets.flatMap((budget) =>
      targetsOf(budget, spender).map((target) => this.stateOf(budget, target, spender.at)),
    );
  }

  /** Returns the amounts of one target that count at a time. */
  stateOf(budget: Budget, target: string, at: number): BudgetState {
    const { bins } = this.#counterOf(budget, target);
    const first = firstBin(budget, at);
    const last = binOf(budget, at);
    const state: BudgetState = { budget, target, usedMicrocredits: 0, heldMicrocredits: 0, bin: undefined };
    for (const [bin, { used, held }] of bins) {
      // A sliding window gets 60 bins in its length. Those before the previous window never count again.
      if (bin < first - (last - first) && held === 0) bins.delete(bin);
      if (bin < first || bin > last || used + held === 0) continue;
      state.usedMicrocredits += used;
      state.heldMicrocredits += held;
      state.bin = Math.min(state.bin ?? bin, bin);
    }
    return state;
  }

  /** Returns the amounts that are held of a budget, by target. */
  heldOf({ counter, ...window }: Budget, at: number): Map<string, number> {
    const held = new Map<string, number>();
    const first = firstBin(window, at);
    const last = binOf(window, at);
    for (const [name, { budget, bins }] of this.#counters) {
      if (budget !== counter) continue;
      const target = name.slice(counter.length + 1);
      for (const [bin, amounts] of bins)
        if (bin >= first && bin <= last && amounts.held > 0)
          held.set(target, (held.get(target) ?? 0) + amounts.held);
    }
    return held;
  }

  /** Returns the places of a request in all counters, which it loads. */
  placesOf(spender: TimedSpender): CounterPlace[] {
    return this.budgets.flatMap((budget) =>
      targetsOf(budget, spender).map((target) => {
        this.#counterOf(budget, target);
        return { counter: budget.counter, target, bin: binOf(budget, spender.at) };
      }),
    );
  }

  /** Adds to the held amounts. A counter that was forgotten meanwhile is left out. */
  addHeld(places: readonly CounterPlace[], microcredits: number): void {
    for (const place of places) {
      const bin = this.#binAt(place);
      if (bin) bin.held += microcredits;
    }
  }

  /** Adds a charge that is written. Counters that are not loaded get it from the source. */
  spend(spender: TimedSpender, microcredits: number): void {
    for (const budget of this.budgets)
      for (const target of targetsOf(budget, spender)) {
        const bin = this.#binAt({ counter: budget.counter, target, bin: binOf(budget, spender.at) });
        if (bin) bin.used += microcredits;
      }
  }

  /** Returns the smallest free amount of all budgets of a request, and the budgets with less than `least`. */
  roomFor(spender: TimedSpender, least: number): { room: number; short: BudgetState[] } {
    let room = Number.POSITIVE_INFINITY;
    const short: BudgetState[] = [];
    for (const state of this.statesOf(spender)) {
      const { budget, usedMicrocredits: used, heldMicrocredits: held } = state;
      const limit = limitAt(budget, spender.at);
      room = Math.min(room, limit - used - held);
      if (used >= limit || limit - used - held < least) short.push(state);
    }
    return { room, short };
  }

  #binAt({ counter, target, bin }: CounterPlace): Bin | undefined {
    const bins = this.#counters.get(nameOf(counter, target))?.bins;
    if (!bins) return undefined;
    const amounts = bins.get(bin) ?? { used: 0, held: 0 };
    bins.set(bin, amounts);
    return amounts;
  }

  #counterOf(budget: Budget, target: string): Counter {
    const name = nameOf(budget.counter, target);
    const existingCounter = this.#counters.get(name);
    if (existingCounter) return existingCounter;
    if (this.#counters.size >= MAX_COUNTERS) this.#forgetUnheld();
    const bins = new Map<number, Bin>();
    for (const { bin, used } of this.#source.bins(budget, target)) bins.set(bin, { used, held: 0 });
    const counter = { budget: budget.counter, bins };
    this.#counters.set(name, counter);
    return counter;
  }

  #forgetUnheld(): void {
    for (const [name, { bins }] of this.#counters)
      if (bins.values().every(({ held }) => held === 0)) this.#counters.delete(name);
  }
}

const nameOf = (counter: string, target: string): string => `${counter} ${target}`;
