import { asSentence } from '../../base/lib/as-sentence.ts';
import type { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import type { FaultCause, ProviderFault } from '../../upstream/calling/provider-fault.ts';
import type { AlertService } from './alert-service.ts';
import { alarmOf, isDown, newsOfAlarm, newsOfOutage } from './provider-news.ts';

const LOOK_EVERY_MS = 5_000;
/** The looks in a row that must find a provider down. A single look can fall into a short burst of errors. */
const LOOKS_TO_REPORT = 2;
/** The time without an error, with successes, after which a provider that was down can be reported again. */
const HEALTHY_FOR_MS = 5 * 60_000;
/** The shortest time between two alerts about the same condition of a provider. It holds across restarts. */
export const QUIET_MS = 15 * 60_000;

/**
 * A condition that lasts is extended this often, so that processes which find it later do not report it
 * again.
 */
const EXTEND_EVERY_MS = 60_000;
/** An alert about a fault can be reported again this long after the condition was last seen. */
const FAULT_HEALTHY_FOR_MS = 2 * EXTEND_EVERY_MS;

export type ProviderAlertParts = {
  service: Pick<AlertService, 'raise' | 'hasRaised' | 'extend'>;
  providers(): Iterable<Provider>;
  activity: Pick<ProviderActivity, 'view'>;
  now(): number;
};

/** The state of a provider at the latest look. */
type ProviderState = {
  /** The looks in a row that have found it down. */
  looks: number;
  /** The outage that was reported, with the successes before it. `null` means that there is none. */
  outage: { successes: number } | null;
  /** The cause of the fault that was reported. */
  reportedFault: FaultCause | null;
  /** The times of the latest extensions, by occasion. */
  readonly extensionTimes: Map<string, number>;
};

/**
 * Looks at live providers in an interval. Reports those that go down, and renews credentials before they
 * expire.
 */
export class ProviderAlerts {
  readonly #parts: ProviderAlertParts;
  readonly #states = new Map<string, ProviderState>();
  #timer: Timer | undefined;

  constructor(parts: ProviderAlertParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const configured = new Set<string>();
    for (const provider of this.#parts.providers()) {
      configured.add(provider.id);
      if (provider.mode !== 'live') continue;
      provider.cloud?.credential.refreshIfDue();
      this.#lookAt(provider.id, this.#parts.activity.view(provider));
    }
    for (const id of this.#states.keys()) if (!configured.has(id)) this.#states.delete(id);
  }

  /**
   * Reports a provider whose fault only an operator can end. Call it at each change, so that the alert does
   * not wait for the next look.
   */
  reportFault(providerId: string, fault: ProviderFault | null): void {
    const state = this.#stateOf(providerId);
    const alarm = fault && alarmOf(fault);
    if (!fault || !alarm) {
      state.reportedFault = null;
      return;
    }
    const name = `${alarm.event} ${providerId}`;
    if (state.reportedFault === fault.cause) {
      this.#extend(state, name, FAULT_HEALTHY_FOR_MS);
      return;
    }
    if (this.#parts.service.hasRaised(name)) return; // a later look reports it
    state.reportedFault = fault.cause;
    this.#parts.service.raise({ name, until: this.#parts.now() + QUIET_MS }, () =>
      newsOfAlarm(providerId, fault, alarm),
    );
  }

  /** Reports a cloud credential that cannot be renewed. */
  reportCredential(id: string, { source, message }: CredentialFailure): void {
    this.#parts.service.raise(
      { name: `credential_failing ${id}`, until: this.#parts.now() + QUIET_MS },
      () => ({
        event: 'credential_failing',
        message: `The credential of the provider ${id} cannot be renewed: the source ${source} failed: ${asSentence(message)}`,
        data: { provider: id, source, reason: message },
      }),
    );
  }

  #lookAt(id: string, view: ProviderActivityView): void {
    this.reportFault(id, view.fault);
    const state = this.#stateOf(id);
    const name = `provider_down ${id}`;
    const successes = view.successesTotal;
    if (state.outage) {
      if (this.#hasRecovered(view, successes - state.outage.successes)) state.outage = null;
      else if (isDown(view)) this.#extend(state, name, HEALTHY_FOR_MS);
      return;
    }
    state.looks = isDown(view) ? state.looks + 1 : 0;
    if (state.looks < LOOKS_TO_REPORT || this.#parts.service.hasRaised(name)) return;
    state.looks = 0;
    state.outage = { successes };
    this.#parts.service.raise({ name, until: this.#parts.now() + QUIET_MS }, () => newsOfOutage(id, view));
  }

  #extend({ extensionTimes }: ProviderState, name: string, forMs: number): void {
    const now = this.#parts.now();
    if (now - (extensionTimes.get(name) ?? Number.NEGATIVE_INFINITY) < EXTEND_EVERY_MS) return;
    extensionTimes.set(name, now);
    this.#parts.service.extend(name, now + forMs);
  }

  /** Reports whether a provider works again. Without requests only its probes show that. */
  #hasRecovered(view: ProviderActivityView, newSuccesses: number): boolean {
    const { lastErrorAt, lastProbe } = view;
    if (isDown(view)) return false;
    if (lastErrorAt !== null && this.#parts.now() - lastErrorAt < HEALTHY_FOR_MS) return false;
    return newSuccesses > 0 || lastProbe?.outcome === 'ok' || lastProbe?.outcome === 'canceled';
  }

  #stateOf(id: string): ProviderState {
    return this.#states.getOrInsertComputed(id, () => ({
      looks: 0,
      outage: null,
      reportedFault: null,
      extensionTimes: new Map(),
    }));
  }
}
