import { LinkedList, type ListNode } from './linked-list.ts';

type Turn<T> = { readonly account: string; readonly items: LinkedList<T>; node: ListNode<Turn<T>> };

/** A place in a line. */
export type Place<T> = { readonly turn: Turn<T>; readonly node: ListNode<T> };

/**
 * First come, first served, account by account: one that sends a thousand requests waits for its own, and another's first request is next
 * but one. Whoever has one request in the line at a time is served in the order of arrival.
 */
export class FairLine<T> {
  readonly #turns = new LinkedList<Turn<T>>();
  readonly #byAccount = new Map<string, Turn<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get next(): T | undefined {
    return this.#turns.first?.items.first;
  }

  join(account: string, item: T): Place<T> {
    const turn = this.#byAccount.get(account) ?? this.#newTurn(account);
    this.#size++;
    return { turn, node: turn.items.push(item) };
  }

  /** Whoever is served passes its account's turn on; whoever gives up leaves it where it is. */
  leave({ turn, node }: Place<T>, reason: 'served' | 'gave-up'): void {
    turn.items.remove(node);
    this.#size--;
    const isLast = turn.items.size === 0;
    if (isLast) this.#byAccount.delete(turn.account);
    if (isLast || reason === 'served') this.#turns.remove(turn.node);
    if (!isLast && reason === 'served') turn.node = this.#turns.push(turn);
  }

  #newTurn(account: string): Turn<T> {
    const turn = { account, items: new LinkedList<T>() } as Turn<T>;
    turn.node = this.#turns.push(turn);
    this.#byAccount.set(account, turn);
    return turn;
  }
}
