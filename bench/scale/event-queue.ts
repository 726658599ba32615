import { BinaryHeap } from '../../src/base/lib/testing/binary-heap.ts';

type TimedAction = { dueMs: number; sequence: number; run: () => void };

const isBefore = (one: TimedAction, other: TimedAction): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence);

/**
 * Runs actions in the order of simulated time, which is in milliseconds. Actions of the same time run in the
 * order in which they were added.
 */
export class EventQueue {
  readonly #actions = new BinaryHeap(isBefore);
  #now = 0;
  #added = 0;

  get now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): void {
    this.#actions.add({ dueMs: this.#now + delayMs, sequence: this.#added++, run });
  }

  runUntil(endMs: number): void {
    for (let next = this.#actions.first; next && next.dueMs <= endMs; next = this.#actions.first) {
      this.#actions.take();
      this.#now = next.dueMs;
      next.run();
    }
    this.#now = endMs;
  }
}
