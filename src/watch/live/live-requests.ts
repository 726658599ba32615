import type { GroupQuery, KeptGroup, RequestStore } from '../requests/request-store.ts';

/** Records are stored within a second. */
const LOOK_EVERY_MS = 1_000;
/** The most groups of one look. Under more load than that, pages see the latest requests alone. */
const MAX_GROUPS = 16;
/**
 * The looks whose groups are remembered. Another node may store a group with a smaller number a moment later.
 */
const MAX_REMEMBERED_LOOKS = 3;
/** Groups from before this time are never new. */
const RECENT_MS = 10 * 60_000;

type Listener = (groups: readonly KeptGroup[]) => void;

type LiveRequestsParts = {
  store: Pick<RequestStore, 'listRequests'>;
  now(): number;
  onFailure(error: unknown): void;
  /** The time between two looks for new records. */
  lookEveryMs?: number;
};

/**
 * Follows the requests of all nodes through the store while somebody listens. A request itself does no work
 * for its followers.
 */
export class LiveRequests {
  readonly #parts: LiveRequestsParts;
  readonly #listeners = new Set<Listener>();
  /**
   * The latest looks, in the order of time. Each has the numbers of its new groups, and the highest known
   * number.
   */
  #looks: number[][] = [];
  #timer: Timer | undefined;
  #isLooking = false;

  constructor(parts: LiveRequestsParts) {
    this.#parts = parts;
  }

  /** Calls back with each new group once. Returns a function that ends this. */
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
      if (this.#looks.length === 0) await this.#lookFirst();
      else await this.#lookAgain();
    } catch (error) {
      this.#parts.onFailure(error);
    } finally {
      this.#isLooking = false;
    }
  }

  /** Groups that are stored when the first listener comes are not new. */
  async #lookFirst(): Promise<void> {
    const [last] = await this.#read({ limit: 1 });
    this.#looks = [[last?.sequence ?? 0]];
  }

  /** Reads the groups after the oldest remembered look, and passes on those that no later look has had. */
  async #lookAgain(): Promise<void> {
    const [oldest = []] = this.#looks;
    const known = this.#looks.flat();
    const groups = await this.#read({ after: Math.max(...oldest), limit: MAX_GROUPS });
    const newGroups = groups.filter(({ sequence }) => !known.includes(sequence)).reverse();
    const newSequences = newGroups.map(({ sequence }) => sequence);
    const look = [Math.max(...known, ...newSequences), ...newSequences];
    this.#looks = [...this.#looks, look].slice(-MAX_REMEMBERED_LOOKS);
    if (newGroups.length > 0) for (const listener of this.#listeners) listener(newGroups);
  }

  #read(query: Pick<GroupQuery, 'after' | 'accountId' | 'limit'>): Promise<KeptGroup[]> {
    return this.#parts.store.listRequests({ ...query, endedFrom: this.#parts.now() - RECENT_MS });
  }
}
