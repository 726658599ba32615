import type { Logger } from '../../watch/observability/logger.ts';
import { recountTraffic } from '../../watch/traffic/recount-traffic.ts';

/** Returns the processes that still write what they count. */
type ListWriting = () => Promise<ReadonlySet<string>>;

export type LateCountParts = {
  sums: Parameters<typeof recountTraffic>[0];
  logger: Logger;
  onFailure(error: unknown): void;
};

/** Counts the requests that crashed processes had not counted. It does nothing before `begin`. */
export class LateCount {
  readonly #parts: LateCountParts;
  #listWriting: ListWriting | undefined;

  constructor(parts: LateCountParts) {
    this.#parts = parts;
  }

  /** Counts once. From now on `run` counts too. */
  async begin(listWriting: ListWriting): Promise<void> {
    this.#listWriting = listWriting;
    await this.run();
  }

  /** Counts once. A failure is reported, and the next run counts the same requests. */
  async run(): Promise<void> {
    if (!this.#listWriting) return;
    const { sums, logger, onFailure } = this.#parts;
    try {
      const requests = await recountTraffic(sums, this.#listWriting);
      if (requests > 0) logger.warn('traffic-recounted', { requests });
    } catch (error) {
      onFailure(error);
    }
  }
}
