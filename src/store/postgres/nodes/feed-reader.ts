/**
 * A change that another node may have made: `key` with the key's id, `account`
 * with the account's id, and so on.
 */
export type NodeChange = { id: number; kind: string; subject: string };

type Listener = (subject: string) => void;

/** The number of ids that are remembered. The overlap of two readings has fewer. */
const MAX_REMEMBERED = 20_000;

/**
 * Notifies listeners of each change once, although readings overlap and a notice can come before or after
 * them.
 */
export class FeedReader {
  readonly #listeners = new Map<string, Listener[]>();
  readonly #readIds = new Set<number>();

  on(kind: string, listener: Listener): void {
    const kindListeners = this.#listeners.get(kind);
    if (kindListeners) kindListeners.push(listener);
    else this.#listeners.set(kind, [listener]);
  }

  /** Reports the change of a notice. Its reading reports it again, so listeners must bear a repetition. */
  notice(payload: string): void {
    const colon = payload.indexOf(':');
    if (colon > 0) this.#notify(payload.slice(0, colon), payload.slice(colon + 1));
  }

  /** Takes the changes of a reading. */
  take(changes: readonly NodeChange[]): void {
    for (const { id, kind, subject } of changes) {
      if (this.#readIds.has(id)) continue;
      this.#readIds.add(id);
      this.#notify(kind, subject);
    }
    if (this.#readIds.size > MAX_REMEMBERED) this.#forget(changes);
  }

  #forget(latest: readonly NodeChange[]): void {
    this.#readIds.clear();
    for (const { id } of latest) this.#readIds.add(id);
  }

  #notify(kind: string, subject: string): void {
    for (const listener of this.#listeners.get(kind) ?? []) listener(subject);
  }
}
