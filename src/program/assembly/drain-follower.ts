import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { DrainStore } from '../../upstream/routing/drain-store.ts';

export type DrainFollowerParts = {
  store: Pick<DrainStore, 'drainedProviders'>;
  providers(): Iterable<{ id: string }>;
  setDrained(providerId: string, isDrained: boolean): void;
  onFailure(error: unknown): void;
};

/** Drains the providers of this process as the store says. */
export class DrainFollower {
  readonly #parts: DrainFollowerParts;
  /** Reads run one after another, since an older answer that came last would stay in force. */
  readonly #reads = new OneByOne();

  constructor(parts: DrainFollowerParts) {
    this.#parts = parts;
  }

  apply(): Promise<void> {
    return this.#reads.run(async () => {
      const { store, providers, setDrained } = this.#parts;
      const drainedIds = await store.drainedProviders();
      for (const { id } of providers()) setDrained(id, drainedIds.has(id));
    });
  }

  /** Applies a change that others have made, in the background. */
  follow(): void {
    void this.apply().catch(this.#parts.onFailure);
  }
}
