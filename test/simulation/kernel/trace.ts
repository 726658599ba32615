/** Records the events of a run as a digest of all lines. */
export class Trace {
  readonly #shows: ((line: string) => void) | undefined;
  #digest = 0n;
  count = 0;

  constructor(shows?: (line: string) => void) {
    this.#shows = shows;
  }

  add(at: number, line: string): void {
    const text = `${at.toFixed(3)} ${line}`;
    this.#digest = Bun.hash.xxHash64(text, this.#digest);
    this.count++;
    this.#shows?.(text);
  }

  get digest(): string {
    return this.#digest.toString(16).padStart(16, '0');
  }
}
