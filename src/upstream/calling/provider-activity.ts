import type { Clock } from '../../base/lib/clock.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { EndedCall } from './fault-watch.ts';
import { type CallWatcher, type EndObserver, OpenCall } from './open-call.ts';
import type { ProbeResult, ProviderActivityView, ProviderHealth } from './provider-activity-view.ts';
import type { ProviderFault } from './provider-fault.ts';
import type {
  BatchCallObserver,
  CallObserver,
  FaultObserver,
  RefusalObserver,
} from './provider-observers.ts';
import { ProviderRecord } from './provider-record.ts';

/** The attempts in a minute below which an error rate says nothing. */
const MIN_ATTEMPTS = 3;
const DOWN_FROM = 0.5;
const DEGRADED_FROM = 0.1;

const NO_CALLS = { requestsTotal: 0, errorsTotal: 0 };

/** Tracks the activity of every configured provider in this process. */
export class ProviderActivity implements EndObserver {
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

  /** Forgets the providers that are no longer configured, except those that are drained. */
  follow(providers: Iterable<{ id: string }>): void {
    const configured = new Set(Array.from(providers, ({ id }) => id));
    for (const [id, { isDrained }] of this.#records)
      if (!configured.has(id) && !isDrained) this.#records.delete(id);
  }

  begin(providerId: string, watcher?: CallWatcher): OpenCall {
    return new OpenCall(this, this.#record(providerId), watcher);
  }

  /** Records the end of a call that says something about its provider. */
  onEnded(record: ProviderRecord, outcome: AttemptOutcome, watcher: CallWatcher | undefined): void {
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
    this.#watch(record, { outcome: probe.outcome, fault: probe.fault, at, isProbe: true });
  }

  /**
   * Records a call of the batch API. It says something about the key, and nothing about the health of the
   * models.
   */
  readonly batchCalled: BatchCallObserver = (providerId, outcome, trouble) => {
    const call = { ...trouble, outcome, at: this.#clock.now() };
    this.#watch(this.#record(providerId), call, trouble);
    if (outcome !== 'canceled') this.#observeCall(providerId, call);
  };

  /** The number of providers that refuse the operator's key. */
  get refusedKeys(): number {
    return [...this.#records.values()].filter(({ keyRefusedSince }) => keyRefusedSince !== null).length;
  }

  isKeyRefused(providerId: string): boolean {
    const record = this.#records.get(providerId);
    return record !== undefined && record.keyRefusedSince !== null;
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
      successesTotal: record.successesTotal,
      lastErrorAt: record.lastErrorAt,
      lastError: record.lastError,
      keyRefusedSince: record.keyRefusedSince,
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

function healthOf(
  { isDrained, faults }: ProviderRecord,
  { attempts, errorRate }: { attempts: number; errorRate: number },
): ProviderHealth {
  if (isDrained) return 'drained';
  const isMeasured = attempts >= MIN_ATTEMPTS;
  const isShut = faults.refusedSince !== null || faults.fault?.cause === 'out_of_credit';
  if (isShut || (isMeasured && errorRate >= DOWN_FROM)) return 'down';
  if (faults.fault) return 'faulty';
  return isMeasured && errorRate >= DEGRADED_FROM ? 'degraded' : 'up';
}
