import type { SlotHolder } from './holders.ts';
import { LinkedList, type ListNode } from './linked-list.ts';

type AccountQueue<T> = {
  readonly account: string;
  readonly holder: SlotHolder;
  readonly items: LinkedList<T>;
  node: ListNode<AccountQueue<T>>;
};

/** The handle with which a request leaves a queue. */
export type QueueEntry<T> = { readonly queue: AccountQueue<T>; readonly node: ListNode<T> };

/**
 * Queues the requests for one provider in one class. Accounts below their share of the slots go first. Among
 * equals, accounts are served in turn, and each account's requests in the order of arrival. Accounts with one
 * request each are thus served in the order of arrival.
 */
export class FairQueue<T> {
  readonly #queues = new LinkedList<AccountQueue<T>>();
  readonly #byAccount = new Map<string, AccountQueue<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Returns the next request, if an account's share is `share` slots. An account at or above its share is
   * served only if no account below its share waits.
   */
  next(share: number): T | undefined {
    const queue = this.#queues.find(({ holder }) => holder.held < share) ?? this.#queues.first;
    return queue?.items.first;
  }

  /**
   * Returns how many requests are served before the next request of that account, if the accounts take turns.
   */
  ahead(account: string): number {
    const ownRequests = this.#byAccount.get(account)?.items.size ?? 0;
    const others = this.#byAccount.size - (ownRequests > 0 ? 1 : 0);
    return Math.min(this.#size, ownRequests + (ownRequests + 1) * others);
  }

  /** Returns the requests in the order in which they are served if the accounts take turns. */
  inOrder(): T[] {
    const order: T[] = [];
    let iterators = [...this.#queues].map(({ items }) => items[Symbol.iterator]());
    while (iterators.length > 0)
      iterators = iterators.filter((iterator) => {
        const { done, value } = iterator.next();
        if (!done) order.push(value);
        return !done;
      });
    return order;
  }

  join(account: string, holder: SlotHolder, item: T): QueueEntry<T> {
    const queue = this.#byAccount.get(account) ?? this.#newQueue(account, holder);
    this.#size++;
    return { queue, node: queue.items.push(item) };
  }

  /**
   * Removes a request. A served request passes its account's turn on; a request that gave up leaves the turn
   * in place.
   */
  leave({ queue, node }: QueueEntry<T>, reason: 'served' | 'gave-up'): void {
    queue.items.remove(node);
    this.#size--;
    const isLast = queue.items.size === 0;
    if (isLast) this.#byAccount.delete(queue.account);
    if (isLast || reason === 'served') this.#queues.remove(queue.node);
    if (!isLast && reason === 'served') queue.node = this.#queues.push(queue);
  }

  #newQueue(account: string, holder: SlotHolder): AccountQueue<T> {
    // The queue and its node refer to each other, so the node is set after the queue exists.
    const queue = { account, holder, items: new LinkedList<T>() } as AccountQueue<T>;
    queue.node = this.#queues.push(queue);
    this.#byAccount.set(account, queue);
    return queue;
  }
}
