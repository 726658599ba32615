/** Wakes the writer of a stream. A ring before the wait counts. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Waits for a ring, and reports whether it came within this time. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      this.#wake = undefined;
    }
    const hasRung = this.#isRung;
    this.#isRung = false;
    return hasRung;
  }
}
