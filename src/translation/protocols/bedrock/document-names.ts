const FORBIDDEN = /[^A-Za-z0-9\-()[\]]+/g;
const MAX_LENGTH = 200;
/** The length that a number in parentheses can take. */
const NUMBER_LENGTH = 8;

/**
 * Creates the document names of one request.
 * The wire requires unique names from a small character set, without consecutive spaces.
 */
export class DocumentNames {
  readonly #used = new Set<string>();
  /** The latest number that follows each name. */
  readonly #numbers = new Map<string, number>();

  /** Returns a name that resembles the client's. A name in use gets a number. */
  nameFor(clientName: string | undefined): string {
    const allowed = (clientName ?? '').replace(FORBIDDEN, ' ').trim();
    const plain = allowed.slice(0, MAX_LENGTH).trim() || 'document';
    const start = plain.slice(0, MAX_LENGTH - NUMBER_LENGTH).trimEnd();
    let name = plain;
    while (this.#used.has(name)) {
      const number = (this.#numbers.get(start) ?? 1) + 1;
      this.#numbers.set(start, number);
      name = `${start} (${number})`;
    }
    this.#used.add(name);
    return name;
  }
}
