const FORBIDDEN = /[^A-Za-z0-9\-()[\]]+/g;
const MAX_LENGTH = 200;

/** Names of documents in one request: the wire asks for some, each once, of few characters and without two spaces in a row. */
export class DocumentNames {
  readonly #taken = new Set<string>();

  nameFor(wanted: string | undefined): string {
    const plain = (wanted ?? '').replace(FORBIDDEN, ' ').trim().slice(0, MAX_LENGTH).trim() || 'document';
    let name = plain;
    for (let count = 2; this.#taken.has(name); count++) name = `${plain.slice(0, MAX_LENGTH - 8)} (${count})`;
    this.#taken.add(name);
    return name;
  }
}
