import { newId } from '../../base/lib/ids.ts';
import type { BoardPlace, Occurrence, PublishedOccurrence, ShownOccurrence } from './occurrence.ts';

/** The occurrences that are kept for pages that connect again. */
const MAX_KEPT = 200;
/** A notice of Postgres has at most 8,000 bytes. */
const MAX_BYTES = 7_000;

type Listener = (occurrence: ShownOccurrence) => void;
type Announce = (text: string) => Promise<void>;

type LiveBoardParts = {
  now(): number;
  onFailure(error: unknown): void;
};

/** Publishes faults and budgets for the open pages of this node and of all others. */
export class LiveBoard {
  readonly #parts: LiveBoardParts;
  readonly #listeners = new Set<Listener>();
  #announce: Announce | undefined;
  readonly #id = newId('board_');
  #occurrences: ShownOccurrence[] = [];
  /** The number of the latest occurrence. */
  #latest = 0;

  constructor(parts: LiveBoardParts) {
    this.#parts = parts;
  }

  /** Shows an occurrence on the pages of this node at once, and notifies the other nodes. */
  publish(occurrence: Occurrence): void {
    const published = { ...occurrence, id: newId('occ_'), at: this.#parts.now() };
    this.#show(published);
    const text = JSON.stringify(published);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_BYTES) {
      this.#parts.onFailure(new Error(`an occurrence of ${bytes} bytes is too long for other nodes`));
      return;
    }
    this.#announce?.(text).catch(this.#parts.onFailure);
  }

  /** Takes an occurrence of another node. A notice can arrive twice, and notices of this node come back. */
  receive(text: string): void {
    const published = JSON.parse(text) as PublishedOccurrence;
    if (!this.#occurrences.some(({ id }) => id === published.id)) this.#show(published);
  }

  /** Sets how other nodes are notified. */
  announceWith(announce: Announce): void {
    this.#announce = announce;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The place of a reader that knows all occurrences. */
  get place(): BoardPlace {
    return { board: this.#id, number: this.#latest };
  }

  /**
   * Returns the kept occurrences after a place. Boards show occurrences in different orders, so a place on
   * the board of another process excludes none.
   */
  after({ board, number }: BoardPlace): readonly ShownOccurrence[] {
    if (board !== this.#id) return this.#occurrences;
    return this.#occurrences.filter((occurrence) => occurrence.number > number);
  }

  #show(published: PublishedOccurrence): void {
    const occurrence = { ...published, number: ++this.#latest };
    this.#occurrences = [...this.#occurrences, occurrence].slice(-MAX_KEPT);
    for (const listener of this.#listeners) listener(occurrence);
  }
}
