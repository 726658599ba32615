import { newId } from '../../base/lib/ids.ts';
import type { Occurrence, PublishedOccurrence } from './occurrence.ts';

/** The occurrences that are kept for pages that connect again. */
const MAX_KEPT = 200;
/** A notice of Postgres has at most 8,000 bytes. */
const MAX_BYTES = 7_000;

type Listener = (occurrence: PublishedOccurrence) => void;
type Announce = (text: string) => Promise<void>;

type Parts = {
  now(): number;
  onFailure(error: unknown): void;
};

/** Publishes faults and budgets for the open pages of this node and of all others. */
export class LiveBoard {
  readonly #parts: Parts;
  readonly #listeners = new Set<Listener>();
  #announce: Announce | undefined;
  #occurrences: PublishedOccurrence[] = [];

  constructor(parts: Parts) {
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

  /** Takes an occurrence of another node. It can arrive twice, and its own come back. */
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

  /** Returns the kept occurrences after a time. */
  since(at: number): readonly PublishedOccurrence[] {
    return this.#occurrences.filter((occurrence) => occurrence.at > at);
  }

  #show(published: PublishedOccurrence): void {
    this.#occurrences = [...this.#occurrences, published].slice(-MAX_KEPT);
    for (const listener of this.#listeners) listener(published);
  }
}
