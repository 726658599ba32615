/** The most refused bodies that are read to their end at a time. */
const MOST = 32;

/** Refused bodies that are read and discarded. */
export class Drains {
  #count = 0;

  /** Returns a function that ends the drain, or undefined if there are too many drains. */
  enter(): (() => void) | undefined {
    if (this.#count >= MOST) return undefined;
    this.#count++;
    return () => {
      this.#count--;
    };
  }
}
