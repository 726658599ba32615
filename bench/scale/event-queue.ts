type TimedAction = { dueMs: number; sequence: number; run: () => void };

/**
 * Runs actions in the order of simulated time, which is in milliseconds. Actions of the same time run in the
 * order in which they were added. A heap holds them, since a simulation adds millions in any order.
 */
export class EventQueue {
  readonly #heap: TimedAction[] = [];
  #now = 0;
  #added = 0;

  get now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): void {
    this.#push({ dueMs: this.#now + delayMs, sequence: this.#added++, run });
  }

  runUntil(endMs: number): void {
    for (let next = this.#heap[0]; next && next.dueMs <= endMs; next = this.#heap[0]) {
      this.#removeFirst();
      this.#now = next.dueMs;
      next.run();
    }
    this.#now = endMs;
  }

  /** Moves later parents down until the action fits. */
  #push(action: TimedAction): void {
    const heap = this.#heap;
    let place = heap.push(action) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(heap[parent]!, action)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = action;
  }

  /** Puts the last action in the place of the first one, and moves earlier children up until it fits. */
  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[place] = heap[child]!;
      place = child;
    }
    heap[place] = last;
  }
}

const isBefore = (one: TimedAction, other: TimedAction): boolean =>
  one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence);
