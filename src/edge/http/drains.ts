/** The most refused bodies that are read to their end at a time. */
const MAX_DRAINS = 32;

/** Refused bodies that are read and discarded. */
export class Drains {
  #count = 0;

  /** Returns a function that ends the drain, or undefined if there are too many drains. */
  enter(): (() => void) | undefined {
    if (this.#count >= MAX_DRAINS) return undefined;
    this.#count++;
    return () => {
      this.#count--;
    };
  }
}
