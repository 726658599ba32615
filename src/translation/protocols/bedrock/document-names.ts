const FORBIDDEN = /[^A-Za-z0-9\-()[\]]+/g;
const MAX_LENGTH = 200;

/**
 * Creates the document names of one request.
 * The wire requires unique names from a small character set, without consecutive spaces.
 */
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
