import type { AttemptRecord } from '../../edge/http/attempt-record.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { addReason, type ReasonContext } from '../calling/add-reason.ts';
import type { AttemptOutcome } from '../calling/attempt-outcome.ts';
import type { CallTrouble } from '../calling/call-trouble.ts';
import { causeOfFailure } from '../calling/failure-cause.ts';
import type { CallWatcher } from '../calling/open-call.ts';
import type { FaultCause } from '../calling/provider-fault.ts';
import { redactUpstreamError } from '../calling/redact-upstream-error.ts';
import { unknownError } from '../calling/unknown-error.ts';
import type { UpstreamFailure } from '../calling/upstream-failure.ts';
import type { CallKind } from './circuit.ts';
import type { Routing } from './routing.ts';
import type { TargetQuestion } from './target-chooser.ts';
import type { TargetHealth } from './target-health.ts';

/** A call, with what is needed to put its failure into words. */
export type WatchedAttempt = ReasonContext & { target: Target; record: AttemptRecord };

type WatchedCallParts = {
  routing: Routing;
  health: TargetHealth;
  question: TargetQuestion;
  attempt: WatchedAttempt;
};

/**
 * Reports a call to its target's health and its provider's slots. The first observer of its end returns the
 * slot.
 */
export class WatchedCall implements CallWatcher {
  readonly #routing: Routing;
  readonly #health: TargetHealth;
  readonly #question: TargetQuestion;
  readonly #attempt: WatchedAttempt;
  readonly #kind: CallKind;
  #fault: FaultCause | undefined;

  constructor({ routing, health, question, attempt }: WatchedCallParts) {
    const now = routing.clock.now();
    this.#routing = routing;
    this.#health = health;
    this.#question = question;
    this.#attempt = attempt;
    this.#kind = health.begin(question, now);
    routing.noteTurn(health, now);
  }

  get model(): string {
    return this.#attempt.target.upstreamModel;
  }

  get isPaused(): boolean {
    return this.#health.circuit.isOpen;
  }

  firstByte(latencyMs: number): void {
    const { delivery } = this.#question;
    this.#health.firstByte(latencyMs, { now: this.#routing.clock.now(), delivery });
  }

  failed(failure: UpstreamFailure): UpstreamFailure {
    const { record, target } = this.#attempt;
    const { error, reason, refusal } = failure;
    this.#fault = failure.fault;
    record.status ??= error?.status ?? null;
    record.error = redactUpstreamError(
      error ?? unknownError({ status: record.status, message: reason }),
      target.provider,
    );
    record.error.message ??= reason;
    const withReason = addReason(refusal, error, this.#attempt);
    return withReason === refusal ? failure : { ...failure, refusal: withReason };
  }

  trouble(): CallTrouble | undefined {
    const { record, target } = this.#attempt;
    return record.error ? { model: target.upstreamModel, ...record.error, fault: this.#fault } : undefined;
  }

  end(outcome: AttemptOutcome): void {
    const { record, target } = this.#attempt;
    const now = this.#routing.clock.now();
    record.ms = performance.now() - record.startedAtMs;
    if (record.error && outcome !== 'ok' && outcome !== 'canceled')
      record.cause = causeOfFailure({ ...record.error, outcome, fault: this.#fault });
    if (this.#fault === 'out_of_credit') this.#routing.suspend(target.provider.id);
    const wasSuspended = this.#health.circuit.isSuspended;
    this.#health.end(outcome, this.#kind, now);
    if (wasSuspended && !this.#health.circuit.isSuspended) this.#routing.lift(target.provider.id);
    this.#routing.noteTurn(this.#health, now);
    this.#routing.capacity.release(target.provider, this.#question.account);
  }
}
