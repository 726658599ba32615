/** A binary heap of numbers, whose least is taken first. It is reused, so that a word costs no allocation. */
export class PairHeap {
  #items = new Float64Array(4_096);
  size = 0;

  push(item: number): void {
    if (this.size === this.#items.length) this.#grow();
    const items = this.#items;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= item) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  /** Takes the least item. The heap must not be empty. */
  pop(): number {
    const items = this.#items;
    const least = items[0]!;
    const size = --this.size;
    const last = items[size]!;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= last) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return least;
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#items.length);
    larger.set(this.#items);
    this.#items = larger;
  }
}
