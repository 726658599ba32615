import type { SlotHolder } from './holders.ts';
import { LinkedList, type ListNode } from './linked-list.ts';

type Turn<T> = {
  readonly account: string;
  readonly holder: SlotHolder;
  readonly items: LinkedList<T>;
  node: ListNode<Turn<T>>;
};

/** A place in a queue. */
export type PlaceInLine<T> = { readonly turn: Turn<T>; readonly node: ListNode<T> };

/**
 * Queues the requests for one provider in one class. Accounts below their share of the slots go first. Among equals, accounts are served
 * in turn, and each account's requests in the order of arrival. Accounts with one request each are thus served in the order of arrival.
 */
export class FairLine<T> {
  readonly #turns = new LinkedList<Turn<T>>();
  readonly #byAccount = new Map<string, Turn<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /**
   * Returns the next request, if an account's share is `share` slots. An account at or above its share is served only if no
   * account below its share waits.
   */
  next(share: number): T | undefined {
    const turn = this.#turns.find(({ holder }) => holder.held < share) ?? this.#turns.first;
    return turn?.items.first;
  }

  /** Returns how many requests are served before the next request of that account, if the accounts take turns. */
  ahead(account: string): number {
    const own = this.#byAccount.get(account)?.items.size ?? 0;
    const others = this.#byAccount.size - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + (own + 1) * others);
  }

  /** Returns the requests in the order in which they are served if the accounts take turns. */
  inOrder(): T[] {
    const order: T[] = [];
    let queues = [...this.#turns].map(({ items }) => items[Symbol.iterator]());
    while (queues.length > 0)
      queues = queues.filter((queue) => {
        const { done, value } = queue.next();
        if (!done) order.push(value);
        return !done;
      });
    return order;
  }

  join(account: string, holder: SlotHolder, item: T): PlaceInLine<T> {
    const turn = this.#byAccount.get(account) ?? this.#newTurn(account, holder);
    this.#size++;
    return { turn, node: turn.items.push(item) };
  }

  /** Removes a request. A served request passes its account's turn on; a request that gave up leaves the turn in place. */
  leave({ turn, node }: PlaceInLine<T>, reason: 'served' | 'gave-up'): void {
    turn.items.remove(node);
    this.#size--;
    const isLast = turn.items.size === 0;
    if (isLast) this.#byAccount.delete(turn.account);
    if (isLast || reason === 'served') this.#turns.remove(turn.node);
    if (!isLast && reason === 'served') turn.node = this.#turns.push(turn);
  }

  #newTurn(account: string, holder: SlotHolder): Turn<T> {
    const turn = { account, holder, items: new LinkedList<T>() } as Turn<T>;
    turn.node = this.#turns.push(turn);
    this.#byAccount.set(account, turn);
    return turn;
  }
}
