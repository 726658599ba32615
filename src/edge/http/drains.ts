/** How many refused bodies are read to their end at a time. */
const MOST = 32;

/** Bodies that are thrown away as they come. */
export class Drains {
  #count = 0;

  /** Undefined when there are too many; else what ends it. */
  enter(): (() => void) | undefined {
    if (this.#count >= MOST) return undefined;
    this.#count++;
    return () => {
      this.#count--;
    };
  }
}
