import type { AttemptOutcome } from './attempt-outcome.ts';
import type { FaultCause, ProviderFault } from './provider-fault.ts';

/** The number of refusals, in a row or within this time, that mean a refused credential. */
const REFUSALS = 3;
const WITHIN_MS = 5 * 60_000;
/** The time between two reports of a provider that refuses some calls and takes others. */
const BETWEEN_REPORTS_MS = 60_000;

/** The end of a call. `fault` is set for the causes that only an operator can end. */
export type EndedCall = {
  outcome: AttemptOutcome;
  at: number;
  fault?: FaultCause | undefined;
  model?: string | undefined;
  status?: number | null | undefined;
  message?: string | null | undefined;
  /** The calls of the model are paused, because many have failed. */
  isPaused?: boolean | undefined;
  /** True for a small request of the gateway's own, which needs no credit. */
  isProbe?: boolean | undefined;
};

/**
 * Notices when a provider begins to fail for a cause that only an operator can end, and when the cause has
 * ended.
 */
export class FaultWatch {
  #refusals = 0;
  #refusedAt: number[] = [];
  #reportedAt = Number.NEGATIVE_INFINITY;
  #refusedSince: number | null = null;
  #fault: ProviderFault | null = null;

  /** The time since which every call is refused. `null` means that calls succeed. */
  get refusedSince(): number | null {
    return this.#refusedSince;
  }

  get fault(): ProviderFault | null {
    return this.#fault;
  }

  /**
   * Returns true for the first refusal in a row of the key or for lack of credit, unless one was reported a
   * moment ago. Call it before `take`.
   */
  isNews({ outcome, at, fault }: EndedCall): boolean {
    const isRefusal = outcome === 'key-refused' || fault === 'out_of_credit';
    const isKnown = this.#refusals > 0 || (fault === 'out_of_credit' && this.#fault?.cause === fault);
    if (!isRefusal || isKnown || at - this.#reportedAt < BETWEEN_REPORTS_MS) return false;
    this.#reportedAt = at;
    return true;
  }

  /** Returns true if the fault has become alarming or has ended, and not for each request. */
  take(call: EndedCall): boolean {
    const wasAlarming = this.#fault?.isAlarming ?? false;
    if (call.outcome === 'ok') this.#succeeded(call);
    else if (call.outcome === 'key-refused') this.#recordRefusal(call);
    else if (call.fault) this.#note(call, { cause: call.fault, isAlarming: call.fault === 'out_of_credit' });
    return wasAlarming !== (this.#fault?.isAlarming ?? false);
  }

  #recordRefusal(call: EndedCall): void {
    const { at, fault = 'key_refused' } = call;
    this.#refusals++;
    this.#refusedAt = [...this.#refusedAt, at].slice(-REFUSALS);
    if (this.#refusals >= REFUSALS) this.#refusedSince ??= at;
    const isFrequent = this.#refusedAt.length === REFUSALS && at - this.#refusedAt[0]! <= WITHIN_MS;
    this.#note(call, { cause: fault, isAlarming: this.#refusedSince !== null || isFrequent });
  }

  #note(
    { at, model, status, message }: EndedCall,
    { cause, isAlarming }: Pick<ProviderFault, 'cause' | 'isAlarming'>,
  ): void {
    const current = this.#fault?.cause === cause ? this.#fault : undefined;
    this.#fault = {
      cause,
      since: current?.since ?? at,
      latestAt: at,
      model: model ?? null,
      status: status ?? null,
      message: message ?? null,
      isAlarming: isAlarming || (current?.isAlarming ?? false),
    };
  }

  /**
   * Another model may be served while the first is refused, so its success says nothing about the fault for a
   * while. Neither does a list of batches about credit, and a probe says nothing about it at all.
   */
  #succeeded({ at, model, isProbe }: EndedCall): void {
    this.#refusals = 0;
    this.#refusedSince = null;
    const fault = this.#fault;
    if (!fault || (isProbe && fault.cause === 'out_of_credit')) return;
    const isOther =
      model === undefined ? fault.cause === 'out_of_credit' : fault.model !== null && fault.model !== model;
    if (isOther && at - fault.latestAt < WITHIN_MS) return;
    this.#fault = null;
    this.#refusedAt = [];
  }
}
