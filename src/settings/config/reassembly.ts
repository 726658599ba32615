import type { PlacedValue } from './take-apart.ts';

type Container = Record<string | number, unknown>;

/** Rebuilds a value from the parts that `takeApart` yields. */
export class Reassembly {
  #value: unknown;

  get value(): unknown {
    return this.#value;
  }

  add(part: string): void {
    for (const [path, value] of JSON.parse(part) as PlacedValue[]) this.#put(path, value);
  }

  #put(path: PlacedValue[0], value: unknown): void {
    const name = path.at(-1);
    if (name === undefined) {
      this.#value = value;
      return;
    }
    const parent = path
      .slice(0, -1)
      .reduce<Container>((within, step) => within[step] as Container, this.#value as Container);
    // Defined, not assigned, since a field may be named `__proto__`.
    Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
  }
}
