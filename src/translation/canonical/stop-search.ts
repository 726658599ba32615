/** What may leave of a text, and the stop that ended it. */
export type Searched = { text: string; stop?: string };

/** Looks for stops in a text that comes in pieces: what may be the beginning of one waits for the next piece. */
export class StopSearch {
  readonly #stops: readonly string[];
  #held = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** The stop that is the first to be complete ends the text, whatever pieces it comes in; of two at once, the longer. */
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

  /** What waits, once no further piece comes. */
  rest(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

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

  /** Where the longest ending begins that is the beginning of a stop. */
  #startOfHeld(text: string): number {
    let earliest = text.length;
    for (const stop of this.#stops) {
      const from = Math.max(0, text.length - stop.length + 1);
      for (
        let at = text.indexOf(stop[0]!, from);
        at >= 0 && at < earliest;
        at = text.indexOf(stop[0]!, at + 1)
      ) {
        if (stop.startsWith(text.slice(at))) earliest = at;
      }
    }
    return earliest;
  }
}
