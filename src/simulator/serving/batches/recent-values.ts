/** Batches and files stay in memory with their answers, so their number is bounded. */
const MAX_VALUES = 100;

/** Keeps the 100 latest values by id. */
export class RecentValues<Value> {
  readonly #values = new Map<string, Value>();

  get(id: string): Value | undefined {
    return this.#values.get(id);
  }

  /** The values, the latest first, as vendors list them. */
  get all(): Value[] {
    return [...this.#values.values()].reverse();
  }

  add(id: string, value: Value): Value {
    if (this.#values.size === MAX_VALUES) this.#values.delete(this.#values.keys().next().value!);
    this.#values.set(id, value);
    return value;
  }

  remove(id: string): boolean {
    return this.#values.delete(id);
  }
}
