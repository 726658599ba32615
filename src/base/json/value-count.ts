/**
 * Counts the values of parsed JSON as `measureJson` counts those of its text. A text with more values has an
 * object with two members of the same name, of which the parser keeps one. The count costs a small part of
 * the parsing, since only lists and objects are visited.
 */
export class ValueCount {
  values = 0;
  readonly #open: object[];

  constructor(value: object) {
    this.#open = [value];
  }

  /** Counts the contents of at most `most` lists and objects. Returns true if all are counted. */
  count(most = Number.POSITIVE_INFINITY): boolean {
    const open = this.#open;
    for (let left = most; left > 0 && open.length > 0; left--) {
      const size = this.#visit(open.pop()!);
      // An empty container has an opening bracket too, which `measureJson` counts.
      this.values += size > 0 ? size : 1;
    }
    return open.length === 0;
  }

  #visit(container: object): number {
    if (Array.isArray(container)) {
      for (const value of container) if (typeof value === 'object' && value !== null) this.#open.push(value);
      return container.length;
    }
    let size = 0;
    for (const name in container) {
      size++;
      const value = (container as Record<string, unknown>)[name];
      if (typeof value === 'object' && value !== null) this.#open.push(value);
    }
    return size;
  }
}
