import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { LatencyWindow, type Percentiles } from '../../base/lib/latency-window.ts';
import type { AttemptSpan } from '../../base/tracing/attempt-span.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { type EndedCall, FaultWatch } from './fault-watch.ts';
import { OutcomeWindow } from './outcome-window.ts';
import type { FaultCause, ProviderFault } from './provider-fault.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

/** `faulty`: some calls fail for a cause that only an operator can correct. Others may succeed. */
export type ProviderHealth = 'up' | 'degraded' | 'faulty' | 'down' | 'drained';
/**
 * Is called once when a fault that only an operator can end becomes alarming, and once with null when it has
 * ended.
 */
export type FaultObserver = (providerId: string, fault: ProviderFault | null) => void;

/** A provider's answer to a call that failed, for operators only. */
export type CallTrouble = UpstreamError & { model: string; fault?: FaultCause | undefined };
/** Is called for the first refusal of the operator's key in a row. A probe knows no details. */
export type RefusalObserver = (
  providerId: string,
  trouble: (UpstreamError & { model?: string; fault?: FaultCause | undefined }) | undefined,
) => void;
/** Is called at the end of each call that says something about its provider. */
export type CallObserver = (providerId: string, call: EndedCall) => void;
/** Is called at the end of each call of a provider's batch API. */
export type BatchCallObserver = (
  providerId: string,
  outcome: AttemptOutcome,
  error?: UpstreamError & { fault?: FaultCause | undefined },
) => void;

/** The result of the gateway's own probe of a provider. */
export type ProbeResult = {
  at: number;
  outcome: AttemptOutcome;
  latencyMs: number;
  fault?: FaultCause | undefined;
};

export type ProviderActivityView = {
  health: ProviderHealth;
  slotsInUse: number;
  maxConcurrent: number | null;
  /** The time to the first byte, over the latest attempts. It is null before the first attempt. */
  latencyMs: Percentiles | null;
  /** The error rate of the last minute, from 0 to 1. */
  errorRate: number;
  requestsTotal: number;
  errorsTotal: number;
  lastErrorAt: number | null;
  /** The latest call that failed, also one whose request the provider refused as invalid. */
  lastError: (CallTrouble & { at: number }) | null;
  /** The time since which the provider has refused the key. It is null while it accepts the key. */
  keyRefusedSince: number | null;
  /** The cause of failed calls that only an operator can end. It is null if none is known. */
  fault: ProviderFault | null;
  /** Null if no probe was made. */
  lastProbe: ProbeResult | null;
};

/** The attempts in a minute below which an error rate says nothing. */
const MIN_ATTEMPTS = 3;
const DOWN_FROM = 0.5;
const DEGRADED_FROM = 0.1;

const NO_CALLS = { requestsTotal: 0, errorsTotal: 0 };

class ProviderRecord {
  readonly id: string;
  slotsInUse = 0;
  requestsTotal = 0;
  errorsTotal = 0;
  lastErrorAt: number | null = null;
  lastError: (CallTrouble & { at: number }) | null = null;
  isDrained = false;
  readonly latencies = new LatencyWindow();
  readonly outcomes = new OutcomeWindow();
  readonly faults = new FaultWatch();
  lastProbe: ProbeResult | null = null;

  constructor(id: string) {
    this.id = id;
  }
}

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

/** Tracks one call to a provider from its start to its end. */
export class OpenCall {
  readonly #record: ProviderRecord;
  readonly #activity: ProviderActivity;
  readonly #watcher: CallWatcher | undefined;
  readonly #startedAtMs = performance.now();
  /** Its span in the request's trace. */
  span: AttemptSpan | undefined;
  #hasAnswered = false;
  #hasEnded = false;

  constructor(activity: ProviderActivity, record: ProviderRecord, watcher: CallWatcher | undefined) {
    this.#activity = activity;
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
   * Records the end of the call. Only the first call of this method counts, so any
   * observer of the end may call it.
   */
  end(outcome: AttemptOutcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#watcher?.end(outcome);
    this.span?.end(outcome);
    const record = this.#record;
    record.slotsInUse--;
    if (outcome === 'canceled') return;
    this.#activity.onEnded(record, outcome, this.#watcher);
  }
}

/**
 * Tracks the activity of every provider in this process. Only configured providers are looked up, so the
 * table stays as small as their list.
 */
export class ProviderActivity {
  readonly #clock: Clock;
  readonly #records = new Map<string, ProviderRecord>();
  readonly #faultObservers: FaultObserver[] = [];
  #observeRefusal: RefusalObserver = () => {};
  #observeCall: CallObserver = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds an observer of faults. The observers are called in the order in which they were added. */
  observeFaults(observe: FaultObserver): void {
    this.#faultObservers.push(observe);
  }

  observeRefusals(observe: RefusalObserver): void {
    this.#observeRefusal = observe;
  }

  /** Probes are not observed. */
  observeCalls(observe: CallObserver): void {
    this.#observeCall = observe;
  }

  begin(providerId: string, watcher?: CallWatcher): OpenCall {
    return new OpenCall(this, this.#record(providerId), watcher);
  }

  /** Records the end of a call that says something about its provider. */
  onEnded(
    record: ProviderRecord,
    outcome: AttemptOutcome,
    watcher: Pick<CallWatcher, 'trouble' | 'model' | 'isPaused'> | undefined,
  ): void {
    const now = this.#clock.now();
    const trouble = watcher?.trouble();
    const failed = outcome !== 'ok';
    record.outcomes.take(failed, now);
    if (trouble) record.lastError = { at: now, ...trouble };
    const call = {
      ...trouble,
      model: watcher?.model,
      outcome,
      at: now,
      isPaused: failed && watcher?.isPaused,
    };
    this.#watch(record, call, trouble);
    this.#observeCall(record.id, call);
    if (!failed) return;
    record.errorsTotal++;
    record.lastErrorAt = now;
  }

  probed(providerId: string, probe: Omit<ProbeResult, 'at'>): void {
    const record = this.#record(providerId);
    const at = this.#clock.now();
    record.lastProbe = { at, ...probe };
    this.#watch(record, { outcome: probe.outcome, fault: probe.fault, at });
  }

  /**
   * Records a call of the batch API.
   * It says something about the key, and nothing about the health of the models.
   */
  readonly batchCalled: BatchCallObserver = (providerId, outcome, trouble) => {
    const call = { ...trouble, outcome, at: this.#clock.now() };
    this.#watch(this.#record(providerId), call, trouble);
    if (outcome !== 'canceled') this.#observeCall(providerId, call);
  };

  /** The number of providers that refuse the operator's key. */
  get refusedKeys(): number {
    return [...this.#records.values()].filter((record) => keyRefusedSince(record) !== null).length;
  }

  isKeyRefused(providerId: string): boolean {
    const record = this.#records.get(providerId);
    return record !== undefined && keyRefusedSince(record) !== null;
  }

  faultOf(providerId: string): ProviderFault | null {
    return this.#records.get(providerId)?.faults.fault ?? null;
  }

  /** Returns the calls to the provider since the start, and those that failed. */
  counts(providerId: string): Pick<ProviderActivityView, 'requestsTotal' | 'errorsTotal'> {
    return this.#records.get(providerId) ?? NO_CALLS;
  }

  slotsInUse(providerId: string): number {
    return this.#records.get(providerId)?.slotsInUse ?? 0;
  }

  drain(providerId: string): void {
    this.#record(providerId).isDrained = true;
  }

  undrain(providerId: string): void {
    this.#record(providerId).isDrained = false;
  }

  isDrained(providerId: string): boolean {
    return this.#records.get(providerId)?.isDrained ?? false;
  }

  view(provider: Pick<Provider, 'id' | 'maxConcurrent'>): ProviderActivityView {
    const record = this.#record(provider.id);
    const { attempts, errors } = record.outcomes.sums(this.#clock.now());
    const errorRate = attempts === 0 ? 0 : errors / attempts;
    return {
      health: healthOf(record, { attempts, errorRate }),
      slotsInUse: record.slotsInUse,
      maxConcurrent: provider.maxConcurrent,
      latencyMs: record.latencies.percentiles(),
      errorRate: Math.round(errorRate * 10_000) / 10_000,
      requestsTotal: record.requestsTotal,
      errorsTotal: record.errorsTotal,
      lastErrorAt: record.lastErrorAt,
      lastError: record.lastError,
      keyRefusedSince: keyRefusedSince(record),
      fault: record.faults.fault,
      lastProbe: record.lastProbe,
    };
  }

  #watch({ id, faults }: ProviderRecord, call: EndedCall, trouble?: Parameters<RefusalObserver>[1]): void {
    if (faults.isNews(call)) this.#observeRefusal(id, trouble);
    if (faults.take(call)) for (const observe of this.#faultObservers) observe(id, faults.fault);
  }

  #record(providerId: string): ProviderRecord {
    const existingRecord = this.#records.get(providerId);
    if (existingRecord) return existingRecord;
    const record = new ProviderRecord(providerId);
    this.#records.set(providerId, record);
    return record;
  }
}

/** A wrong clock is refused like a wrong key, but the key is good. */
const keyRefusedSince = ({ faults }: ProviderRecord): number | null =>
  faults.fault?.cause === 'key_refused' ? faults.refusedSince : null;

function healthOf(
  { isDrained, faults }: ProviderRecord,
  { attempts, errorRate }: { attempts: number; errorRate: number },
): ProviderHealth {
  if (isDrained) return 'drained';
  const isMeasured = attempts >= MIN_ATTEMPTS;
  if (faults.refusedSince !== null || (isMeasured && errorRate >= DOWN_FROM)) return 'down';
  if (faults.fault) return 'faulty';
  return isMeasured && errorRate >= DEGRADED_FROM ? 'degraded' : 'up';
}
