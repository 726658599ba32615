/** The handle with which an item leaves a roster. */
export type RosterEntry<T> = {
  item: T | undefined;
  before: RosterEntry<T> | undefined;
  after: RosterEntry<T> | undefined;
};

/**
 * An insertion-ordered set with O(1) removal by handle, for objects that come and go with every request. The
 * runtime's Set keeps deleted items, and all that they reference, until the next full collection: 20 KB for
 * each request.
 */
export class Roster<T extends object> implements Iterable<T> {
  #first: RosterEntry<T> | undefined;
  #last: RosterEntry<T> | undefined;

  add(item: T): RosterEntry<T> {
    const entry: RosterEntry<T> = { item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = entry;
    else this.#first = entry;
    this.#last = entry;
    return entry;
  }

  /**
   * Removes an item; calling it again has no effect. A removed entry drops its links, so that it keeps no
   * other item alive.
   */
  leave(entry: RosterEntry<T>): void {
    const { item, before, after } = entry;
    if (item === undefined) return;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    entry.item = undefined;
    entry.before = undefined;
    entry.after = undefined;
  }

  /** Iterates over the items that are present at the start, except those removed before their turn. */
  *[Symbol.iterator](): Iterator<T> {
    for (const entry of this.entries()) if (entry.item !== undefined) yield entry.item;
  }

  entries(): RosterEntry<T>[] {
    const entries: RosterEntry<T>[] = [];
    for (let entry = this.#first; entry; entry = entry.after) entries.push(entry);
    return entries;
  }
}
