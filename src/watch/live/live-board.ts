import { newId } from '../../base/lib/ids.ts';
import type { Occurrence, PublishedOccurrence, ShownOccurrence } from './occurrence.ts';

/** The occurrences that are kept for pages that connect again. */
const MAX_KEPT = 200;
/** The longest announcement. It is a notice of Postgres, which has at most 8,000 bytes with its envelope. */
const MAX_ANNOUNCED_BYTES = 7_000;

type Listener = (occurrence: ShownOccurrence) => void;
type Announce = (text: string) => Promise<void>;

type Parts = {
  now(): number;
  /** Is called if the other nodes do not get an occurrence. */
  onFailure(error: unknown): void;
};

/** Publishes faults and budgets for the open pages of this node and of all others. */
export class LiveBoard {
  readonly #parts: Parts;
  readonly #listeners = new Set<Listener>();
  #announce: Announce | undefined;
  #shown: ShownOccurrence[] = [];
  #lastPlace = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Shows an occurrence on the pages of this node at once, and announces it to the other nodes. */
  publish(occurrence: Occurrence): void {
    const published = { ...occurrence, id: newId('occ_'), at: this.#parts.now() };
    this.#show(published);
    const text = JSON.stringify(published);
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_ANNOUNCED_BYTES) {
      this.#parts.onFailure(new Error(`an occurrence of ${bytes} bytes is too long for other nodes`));
      return;
    }
    this.#announce?.(text).catch(this.#parts.onFailure);
  }

  /**
   * Shows an announced occurrence, unless it is shown already.
   * The announcements of this node come back too.
   */
  receive(text: string): void {
    const published = JSON.parse(text) as PublishedOccurrence; // another node's `publish` has written it
    if (!this.#shown.some(({ id }) => id === published.id)) this.#show(published);
  }

  /** Sets how occurrences are announced. Without it, this node is the only one. */
  announceWith(announce: Announce): void {
    this.#announce = announce;
  }

  /** Calls back with each occurrence that is shown. Returns a function that ends this. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns the kept occurrences after a place. The place of a page that was connected to another node is a
   * time of that node, and the clocks of nodes differ little.
   */
  since(place: number): readonly ShownOccurrence[] {
    return this.#shown.filter((occurrence) => occurrence.place > place);
  }

  /**
   * The place is the time of the arrival here, moved on if needed. Occurrences of one millisecond, and those
   * of a node whose clock is behind, thus have places after the earlier ones.
   */
  #show(published: PublishedOccurrence): void {
    this.#lastPlace = Math.max(this.#parts.now(), this.#lastPlace + 1);
    const shown = { ...published, place: this.#lastPlace };
    this.#shown = [...this.#shown, shown].slice(-MAX_KEPT);
    for (const listener of this.#listeners) listener(shown);
  }
}
