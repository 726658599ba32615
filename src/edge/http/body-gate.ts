import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { ArrivalClock } from './arrival-clock.ts';
import { Arrivals } from './arrivals.ts';
import { Drains } from './drains.ts';
import type { UnderWay } from './under-way.ts';

type GateOptions = { budget: MemoryBudget; timeoutMs: number; underWay: Pick<UnderWay, 'endLate'> };

const SWEEP_MS = 1_000;

/** Bounds request bodies: what they hold of the memory, how long they may take to arrive, and how many are thrown away at a time. */
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

  /** Turns away who has waited too long for room, and ends bodies that come too slowly. The gate calls it every second. */
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
