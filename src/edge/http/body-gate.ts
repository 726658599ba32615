import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { ArrivalClock } from './arrival-clock.ts';
import { Arrivals } from './arrivals.ts';
import { Drains } from './drains.ts';
import type { UnderWay } from './under-way.ts';

type GateOptions = { budget: MemoryBudget; timeoutMs: number; underWay: Pick<UnderWay, 'endLate'> };

const SWEEP_MS = 1_000;

/**
 * Bounds request bodies: the memory that they hold, the time that they take to arrive, and the number that
 * are drained at a time.
 */
export class BodyGate {
  readonly clock: ArrivalClock;
  readonly budget: MemoryBudget;
  readonly arrivals = new Arrivals();
  readonly drains = new Drains();
  readonly #timeoutMs: number;
  readonly #underWay: Pick<UnderWay, 'endLate'>;
  readonly #sweep: Timer;

  constructor({ budget, timeoutMs, underWay }: GateOptions) {
    this.budget = budget;
    this.#timeoutMs = timeoutMs;
    this.#underWay = underWay;
    this.clock = new ArrivalClock(timeoutMs);
    this.#sweep = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweep.unref();
  }

  /**
   * Rejects requests that have waited too long for memory, and ends bodies that arrive too slowly. The gate
   * calls it every second.
   */
  sweep(now = performance.now()): void {
    this.arrivals.sweep();
    this.budget.sweep(now);
    this.clock.sweep(now);
    this.#underWay.endLate(now - this.#timeoutMs);
  }

  close(): void {
    clearInterval(this.#sweep);
  }
}
