import type { GroupQuery, KeptGroup, RequestStore } from '../requests/request-store.ts';

/** Records are stored within a second. */
const LOOK_EVERY_MS = 1_000;
/** The most groups of one look. Under more load than that, pages see the latest requests alone. */
const MAX_GROUPS = 16;
/** Looks that overlap. Another node may store a group with a smaller number a moment later. */
const OVERLAP = 3;
/** Groups from before this time are never new. */
const RECENT_MS = 10 * 60_000;

type Listener = (groups: readonly KeptGroup[]) => void;

type Parts = {
  store: Pick<RequestStore, 'listRequests'>;
  now(): number;
  onFailure(error: unknown): void;
  /** The time between two looks for new records. */
  lookEveryMs?: number;
};

/**
 * Follows the requests of all nodes through the store while somebody listens.
 * Requests themselves do nothing for it.
 */
export class LiveRequests {
  readonly #parts: Parts;
  readonly #listeners = new Set<Listener>();
  /** The groups of the latest looks, the latest look last. */
  #looks: number[][] = [];
  #timer: Timer | undefined;
  #isLooking = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Calls back with each new group once. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      void this.#look();
      this.#timer = setInterval(() => void this.#look(), this.#parts.lookEveryMs ?? LOOK_EVERY_MS);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  /**
   * Returns the groups after a number, the earliest first. Without a number it returns the last group alone.
   */
  async after(sequence: number | undefined, accountId?: string): Promise<KeptGroup[]> {
    const limit = sequence === undefined ? 1 : MAX_GROUPS;
    return (await this.#read({ after: sequence, accountId, limit })).reverse();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#looks = [];
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const fresh = this.#looks.length === 0 ? await this.#begin() : await this.#readFresh();
      if (fresh.length > 0) for (const listener of this.#listeners) listener(fresh);
    } catch (error) {
      this.#parts.onFailure(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Occurrences that are stored when the first listener comes are not new. */
  async #begin(): Promise<KeptGroup[]> {
    const [last] = await this.#read({ limit: 1 });
    this.#looks = [[last?.sequence ?? 0]];
    return [];
  }

  async #readFresh(): Promise<KeptGroup[]> {
    const sequences = this.#looks.flat();
    const groups = await this.#read({ after: Math.max(...this.#looks[0]!), limit: MAX_GROUPS });
    const fresh = groups.filter(({ sequence }) => !sequences.includes(sequence)).reverse();
    const highest = Math.max(...sequences, ...groups.map(({ sequence }) => sequence));
    this.#looks = [...this.#looks, [highest, ...fresh.map(({ sequence }) => sequence)]].slice(-OVERLAP);
    return fresh;
  }

  #read(query: Pick<GroupQuery, 'after' | 'accountId' | 'limit'>): Promise<KeptGroup[]> {
    return this.#parts.store.listRequests({ ...query, endedFrom: this.#parts.now() - RECENT_MS });
  }
}
