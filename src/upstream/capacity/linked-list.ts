/** A node of a list, by which its item can be removed without a search. */
export type ListNode<T> = {
  readonly item: T;
  previous: ListNode<T> | undefined;
  next: ListNode<T> | undefined;
};

/**
 * A first-in, first-out list with removal in constant time. A node must be removed once, and from its own
 * list.
 */
export class LinkedList<T> {
  #first: ListNode<T> | undefined;
  #last: ListNode<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first?.item;
  }

  get last(): T | undefined {
    return this.#last?.item;
  }

  find(isWanted: (item: T) => boolean): T | undefined {
    let node = this.#first;
    while (node && !isWanted(node.item)) node = node.next;
    return node?.item;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let node = this.#first; node; node = node.next) yield node.item;
  }

  push(item: T): ListNode<T> {
    return this.#insertAfter(this.#last, item);
  }

  /** Inserts an item after the last item that it may not go before. */
  insert(item: T, goesBefore: (other: T) => boolean): ListNode<T> {
    let previous = this.#last;
    while (previous && goesBefore(previous.item)) previous = previous.previous;
    return this.#insertAfter(previous, item);
  }

  #insertAfter(previous: ListNode<T> | undefined, item: T): ListNode<T> {
    const node: ListNode<T> = { item, previous, next: previous ? previous.next : this.#first };
    if (previous) previous.next = node;
    else this.#first = node;
    if (node.next) node.next.previous = node;
    else this.#last = node;
    this.#size++;
    return node;
  }

  remove(node: ListNode<T>): void {
    if (node.previous) node.previous.next = node.next;
    else this.#first = node.next;
    if (node.next) node.next.previous = node.previous;
    else this.#last = node.previous;
    node.previous = undefined;
    node.next = undefined;
    this.#size--;
  }
}
