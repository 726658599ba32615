const KEPT_LINES = 4_000;

/** Records the events of a run, as a digest of all lines and the text of the last ones. */
export class Trace {
  readonly #lines: string[] = [];
  readonly #shows: ((line: string) => void) | undefined;
  #digest = 0n;
  count = 0;

  constructor(shows?: (line: string) => void) {
    this.#shows = shows;
  }

  add(at: number, line: string): void {
    const text = `${at.toFixed(3)} ${line}`;
    this.#digest = Bun.hash.xxHash64(text, this.#digest) as unknown as bigint;
    this.count++;
    this.#shows?.(text);
    if (this.#lines.push(text) >= 2 * KEPT_LINES) this.#lines.splice(0, KEPT_LINES);
  }

  get digest(): string {
    return this.#digest.toString(16).padStart(16, '0');
  }

  last(count: number): string[] {
    return this.#lines.slice(-count);
  }
}
