/** The text that can be released, and the stop that ended it. */
type Searched = { text: string; stop?: string };

/**
 * Searches text that arrives in pieces for stop sequences.
 * Text that may be the start of one is held until the next piece.
 */
export class StopSearch {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /**
   * Adds a piece. The first stop to be complete ends the text, however it is split.
   * Of two that end together, the longer counts.
   */
  add(piece: string): Searched {
    const text = this.#held + piece;
    const found = this.#find(text);
    if (found) {
      this.#held = '';
      return { text: text.slice(0, found.start), stop: found.stop };
    }
    const start = this.#startOfHeld(text);
    this.#held = text.slice(start);
    return { text: text.slice(0, start) };
  }

  /** Releases the held text once there are no more pieces. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Returns the stop that is complete first. */
  #find(text: string): { start: number; stop: string } | undefined {
    let first: { start: number; stop: string; end: number } | undefined;
    for (const stop of this.#stops) {
      const start = text.indexOf(stop);
      const end = start + stop.length;
      if (start < 0 || (first && first.end < end)) continue;
      if (first === undefined || end < first.end || start < first.start) first = { start, stop, end };
    }
    return first;
  }

  /** Returns the start of the longest suffix that is the beginning of a stop. */
  #startOfHeld(text: string): number {
    let earliest = text.length;
    for (const stop of this.#stops) {
      const first = stop.charAt(0);
      let at = text.indexOf(first, Math.max(0, text.length - stop.length + 1));
      while (at >= 0 && at < earliest) {
        if (stop.startsWith(text.slice(at))) earliest = at;
        at = text.indexOf(first, at + 1);
      }
    }
    return earliest;
  }
}
