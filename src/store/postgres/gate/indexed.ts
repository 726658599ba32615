/** Distinct names in the order of their first use, with the index that SQL arrays have: from 1. */
export class Indexed {
  readonly names: readonly string[];
  readonly #indexes = new Map<string, number>();

  constructor(names: readonly string[]) {
    for (const name of names) if (!this.#indexes.has(name)) this.#indexes.set(name, this.#indexes.size + 1);
    this.names = [...this.#indexes.keys()];
  }

  of(name: string): number {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`${name} is not in the list`);
    return index;
  }
}
