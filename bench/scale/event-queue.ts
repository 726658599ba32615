type Timed = { at: number; order: number; run: () => void };

/** Runs actions in the order of simulated time, which is in milliseconds. */
export class EventQueue {
  now = 0;
  #count = 0;
  readonly #heap: Timed[] = [];

  after(delayMs: number, run: () => void): void {
    this.#push({ at: this.now + delayMs, order: this.#count++, run });
  }

  runUntil(endMs: number): void {
    for (let next = this.#heap[0]; next && next.at <= endMs; next = this.#heap[0]) {
      this.#pop();
      this.now = next.at;
      next.run();
    }
    this.now = endMs;
  }

  #push(event: Timed): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

const isBefore = (one: Timed, other: Timed): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
