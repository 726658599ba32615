/** A binary heap. `isBefore` orders its items. */
export class BinaryHeap<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (one: Item, other: Item) => boolean;

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  /** Moves later parents down until the item fits. */
  add(item: Item): void {
    const items = this.#items;
    let place = items.push(item) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!this.#isBefore(item, items[parent]!)) break;
      items[place] = items[parent]!;
      place = parent;
    }
    items[place] = item;
  }

  /** Removes the first item. Moves earlier children up until the last item fits in their place. */
  take(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#isBefore(items[child + 1]!, items[child]!)) child++;
      if (!this.#isBefore(items[child]!, last)) break;
      items[place] = items[child]!;
      place = child;
    }
    items[place] = last;
    return first;
  }
}
