/** The handle with which an item leaves a roster. */
export type Place<T> = { item: T | undefined; before: Place<T> | undefined; after: Place<T> | undefined };

/**
 * An insertion-ordered set with O(1) removal by handle, for objects that come and go with every request. The runtime's Set keeps deleted
 * items, and all that they reference, until the next full collection: 20 KB for each request.
 */
export class Roster<T extends object> implements Iterable<T> {
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;

  add(item: T): Place<T> {
    const place: Place<T> = { item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    return place;
  }

  /** Removes an item; calling it again has no effect. A removed place drops its links, so that it keeps no other item alive. */
  leave(place: Place<T>): void {
    const { item, before, after } = place;
    if (item === undefined) return;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.item = undefined;
    place.before = undefined;
    place.after = undefined;
  }

  /** Iterates over the items that are present at the start, except those removed before their turn. */
  *[Symbol.iterator](): Iterator<T> {
    for (const place of this.places()) if (place.item !== undefined) yield place.item;
  }

  places(): Place<T>[] {
    const places: Place<T>[] = [];
    for (let place = this.#first; place; place = place.after) places.push(place);
    return places;
  }
}
