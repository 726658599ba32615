import { newId } from '../../base/lib/ids.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Inference } from '../request/inference.ts';
import { type BackgroundExchangeParts, backgroundExchange } from './background-exchange.ts';
import type { BackgroundJob } from './background-job.ts';
import type { BackgroundParts } from './background-parts.ts';
import type { ResponseHold } from './background-store.ts';
import { createBackgroundJob, type NewJob } from './create-background-job.ts';

/** The time for which a process holds its responses without a renewal. Another one then takes them up. */
export const HELD_MS = 30_000;

/** The job of a response. `done` resolves when it has ended. */
export type RunningJob = { job: BackgroundJob; done: Promise<void> };

/** Creates and runs the jobs of the responses that this process holds. */
export class RunningJobs {
  readonly parts: BackgroundParts;
  /** Names this process among those that share the store. */
  readonly holder = newId('bg_');
  readonly #running = new Map<string, RunningJob>();
  /** The ids of responses whose end could not be written, and which this process therefore still holds. */
  readonly #unended = new Set<string>();

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
    const { observe, store } = this.parts;
    const done = job
      .run(prepared)
      .then(async (refusal) => {
        if (job.isLeft) return store.putBack(this.holdOn(job.id));
        job.exchange.notes.status = refusal?.status ?? 200;
        observe(job.exchange);
      })
      .catch((error: unknown) => this.lose(job.id, error))
      .finally(() => {
        job.exchange.booking?.free();
        this.#running.delete(job.id);
      });
    this.#running.set(job.id, { job, done });
  }

  /** Reports a response whose work has failed. It is put back as soon as the store takes that. */
  lose(id: string, error: unknown): void {
    this.parts.onFailure(error);
    this.#unended.add(id);
  }

  /** Puts back the responses whose end could not be written, so that a process takes them up again. */
  async putBackUnended(): Promise<void> {
    for (const id of this.#unended) {
      await this.parts.store.putBack(this.holdOn(id));
      this.#unended.delete(id);
    }
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
