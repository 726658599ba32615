import type { AttemptSpan } from '../../base/tracing/attempt-span.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { CallTrouble } from './call-trouble.ts';
import type { ProviderRecord } from './provider-record.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** Observes a call. Each method is called at most once. */
export type CallWatcher = {
  firstByte(latencyMs: number): void;
  /** Records a failure, and returns it with the upstream's reason in words for the client. */
  failed(failure: UpstreamFailure): UpstreamFailure;
  /** The provider's name for the model. */
  readonly model: string;
  /** Many calls of the model have failed, and further ones wait. */
  readonly isPaused?: boolean;
  /** Returns what the provider said, or undefined if the call did not fail. */
  trouble(): CallTrouble | undefined;
  end(outcome: AttemptOutcome): void;
};

/** Observes the end of a call that says something about its provider. */
export type EndObserver = {
  onEnded(record: ProviderRecord, outcome: AttemptOutcome, watcher: CallWatcher | undefined): void;
};

/** Tracks one call to a provider from its start to its end. */
export class OpenCall {
  readonly #record: ProviderRecord;
  readonly #observer: EndObserver;
  readonly #watcher: CallWatcher | undefined;
  readonly #startedAtMs = performance.now();
  /** Its span in the request's trace. */
  span: AttemptSpan | undefined;
  #hasAnswered = false;
  #hasEnded = false;

  constructor(observer: EndObserver, record: ProviderRecord, watcher: CallWatcher | undefined) {
    this.#observer = observer;
    this.#record = record;
    this.#watcher = watcher;
    record.slotsInUse++;
    record.requestsTotal++;
  }

  firstByte(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    const latencyMs = performance.now() - this.#startedAtMs;
    this.#record.latencies.take(latencyMs);
    this.#watcher?.firstByte(latencyMs);
    this.span?.firstByte();
  }

  /** Records a failure, and returns it with the upstream's reason in words for the client. */
  failed(failure: UpstreamFailure): UpstreamFailure {
    return this.#watcher?.failed(failure) ?? failure;
  }

  /**
   * Records the end of the call. Only the first call of this method counts, so any observer of the end may
   * call it.
   */
  end(outcome: AttemptOutcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#watcher?.end(outcome);
    this.span?.end(outcome);
    const record = this.#record;
    record.slotsInUse--;
    if (outcome === 'ok') record.successesTotal++;
    if (outcome === 'canceled') return;
    this.#observer.onEnded(record, outcome, this.#watcher);
  }
}
