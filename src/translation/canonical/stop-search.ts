/** The text that can be released, and the stop that ended it. */
type SearchResult = { text: string; stop?: string };

/** A stop sequence, prepared for searches. */
export type StopPattern = {
  stop: string;
  /** For each beginning of the stop, the length of the longest shorter one with which it also ends. */
  fallbacks: Uint32Array;
};

/** Prepares a stop sequence, which must not be empty. */
export function stopPattern(stop: string): StopPattern {
  const fallbacks = new Uint32Array(stop.length);
  for (let at = 1, matched = 0; at < stop.length; at++) {
    matched = extendMatch({ stop, fallbacks }, matched, stop.charCodeAt(at));
    fallbacks[at] = matched;
  }
  return { stop, fallbacks };
}

/** Returns the length of the longest beginning with which a text ends, after one more character. */
function extendMatch({ stop, fallbacks }: StopPattern, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && stop.charCodeAt(length) !== unit) length = fallbacks[length - 1]!;
  return stop.charCodeAt(length) === unit ? length + 1 : 0;
}

/**
 * Searches text that arrives in pieces for stop sequences. Text that may be the start of one is held until
 * the next piece. Each character is read once for each stop, however long the stop is (Knuth, Morris, Pratt).
 */
export class StopSearch {
  readonly #patterns: readonly StopPattern[];
  /** For each stop, the length of its longest beginning with which the text ends. */
  readonly #matched: Uint32Array;
  #held = '';

  constructor(patterns: readonly StopPattern[]) {
    this.#patterns = patterns;
    this.#matched = new Uint32Array(patterns.length);
  }

  /**
   * Adds a piece. The first stop to be complete ends the text, however it is split.
   * If two stops end together, the longer counts.
   */
  add(piece: string): SearchResult {
    const text = this.#held + piece;
    const found = this.#find(piece);
    if (found) {
      this.#held = '';
      const end = text.length - piece.length + found.end;
      return { text: text.slice(0, end - found.stop.length), stop: found.stop };
    }
    let heldLength = 0;
    for (const length of this.#matched) heldLength = Math.max(heldLength, length);
    if (heldLength === text.length) {
      this.#held = text; // Slicing would copy a long held text with every piece.
      return { text: '' };
    }
    this.#held = text.slice(text.length - heldLength);
    return { text: text.slice(0, text.length - heldLength) };
  }

  /** Releases the held text once there are no more pieces. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Returns the stop that is complete first, and its end in the piece. */
  #find(piece: string): { stop: string; end: number } | undefined {
    let first: { stop: string; end: number } | undefined;
    for (const [index, pattern] of this.#patterns.entries()) {
      const { stop } = pattern;
      const end = this.#endOf(pattern, index, first === undefined ? piece : piece.slice(0, first.end));
      if (end === undefined) continue;
      if (first === undefined || end < first.end || stop.length > first.stop.length) first = { stop, end };
    }
    return first;
  }

  /** Returns the first end of a stop in the piece, or undefined if the stop stays incomplete. */
  #endOf(pattern: StopPattern, index: number, piece: string): number | undefined {
    const { stop } = pattern;
    let matched = this.#matched[index]!;
    let at = 0;
    while (at < piece.length) {
      if (matched === 0) at = piece.indexOf(stop.charAt(0), at);
      if (at < 0) break;
      matched = extendMatch(pattern, matched, piece.charCodeAt(at));
      at++;
      if (matched === stop.length) return at;
    }
    this.#matched[index] = matched;
    return undefined;
  }
}
