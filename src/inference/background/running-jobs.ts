import { newId } from '../../base/lib/ids.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Inference } from '../request/inference.ts';
import { type BackgroundExchangeParts, backgroundExchange } from './background-exchange.ts';
import type { BackgroundJob } from './background-job.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { ResponseHold } from './background-store.ts';
import { createBackgroundJob, type NewJob } from './create-background-job.ts';

/** A process holds its responses this long, and renews that. Another process takes them up after a crash. */
export const HELD_MS = 30_000;

/** The job of a response. `done` resolves when it has ended. */
export type RunningJob = { job: BackgroundJob; done: Promise<void> };

/** Creates and runs the jobs of the responses that this process holds. */
export class RunningJobs {
  readonly parts: BackgroundParts;
  /** Names this process among those that share the store. */
  readonly holder = newId('bg_');
  readonly #running = new Map<string, RunningJob>();

  constructor(parts: BackgroundParts) {
    this.parts = parts;
  }

  get size(): number {
    return this.#running.size;
  }

  find(id: string): RunningJob | undefined {
    return this.#running.get(id);
  }

  /** Returns what the store checks before this process changes a response. */
  holdOn(id: string): ResponseHold {
    return { id, holder: this.holder };
  }

  createExchange(
    requestId: string,
    from: Pick<BackgroundExchangeParts, 'path' | 'headers' | 'signal' | 'address'>,
  ): Exchange {
    const { snapshot, onExchangeFailure, opened } = this.parts;
    const exchange = backgroundExchange({
      requestId,
      ...from,
      snapshot: snapshot(),
      onFailure: onExchangeFailure,
    });
    opened(exchange);
    return exchange;
  }

  createJob(job: NewJob): BackgroundJob {
    const { store, services } = this.parts;
    return createBackgroundJob(job, { store, holder: this.holder, clock: services.clock });
  }

  /** Answers a prepared request. A response that was left goes back to the store. */
  run(job: BackgroundJob, prepared: Inference): void {
    const { observe, onFailure, store } = this.parts;
    const done = job
      .run(prepared)
      .then(async (refusal) => {
        if (job.isLeft) return store.putBack(this.holdOn(job.id));
        job.exchange.notes.status = refusal?.status ?? 200;
        observe(job.exchange);
      })
      .catch(onFailure)
      .finally(() => {
        job.exchange.booking?.free();
        this.#running.delete(job.id);
      });
    this.#running.set(job.id, { job, done });
  }

  /** Ends the work on all responses without their end. */
  leave(reason: Error): void {
    for (const { job } of this.#running.values()) job.leave(reason);
  }

  /** Resolves when all jobs have ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }
}
