import { asSentence } from '../../base/lib/as-sentence.ts';
import type { CredentialFailure } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import type { FaultCause, ProviderFault } from '../../upstream/calling/provider-fault.ts';
import type { AlertService } from './alert-service.ts';
import { alarmOf, isDown, newsOfAlarm, newsOfOutage } from './provider-news.ts';

const LOOK_EVERY_MS = 5_000;
/** The looks in a row that must find a provider down. One look may meet a moment of bad luck. */
const LOOKS_TO_REPORT = 2;
/** The time without an error, with successes, after which a provider that was down can be reported again. */
const WELL_FOR_MS = 5 * 60_000;
/**
 * The shortest time between two alerts about the same condition of a provider.
 * Restarts count as the same time.
 */
export const QUIET_MS = 15 * 60_000;

/**
 * A condition that lasts is extended this often, so that processes which find it later do not report it
 * again.
 */
const EXTEND_EVERY_MS = 60_000;
/** An alert about a fault can be reported again this long after the condition was last seen. */
const FAULT_WELL_FOR_MS = 2 * EXTEND_EVERY_MS;

export type ProviderAlertParts = {
  service: Pick<AlertService, 'raise' | 'hasRaised' | 'extend'>;
  providers(): Iterable<Provider>;
  activity: Pick<ProviderActivity, 'view'>;
  now(): number;
};

/** The state of a provider at the latest look. */
type WatchedProvider = {
  /** The looks in a row that have found it down. */
  looks: number;
  /** The successes before the outage that was reported. */
  outage: { succeeded: number } | null;
  /** The cause of the fault that was reported. */
  reportedFault: FaultCause | null;
};

/**
 * Looks at the health of live providers, reports those that go down, and has the secrets of clouds renewed.
 */
export class ProviderAlerts {
  readonly #parts: ProviderAlertParts;
  readonly #watched = new Map<string, WatchedProvider>();
  /** The times of the latest extensions, by occasion. */
  readonly #extended = new Map<string, number>();
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
    for (const provider of this.#parts.providers()) {
      if (provider.mode !== 'live') continue;
      provider.cloud?.credential.refreshIfDue();
      this.#lookAt(provider.id, this.#parts.activity.view(provider));
    }
  }

  /**
   * Reports a provider whose fault only an operator can end.
   * Call it at each change of that state, so that no look is awaited.
   */
  faultChanged(providerId: string, fault: ProviderFault | null): void {
    const watched = this.#watchedOf(providerId);
    const alarm = fault && alarmOf(fault);
    if (!fault || !alarm) {
      watched.reportedFault = null;
      return;
    }
    const name = `${alarm.event} ${providerId}`;
    if (watched.reportedFault === fault.cause) {
      this.#extend(name, FAULT_WELL_FOR_MS);
      return;
    }
    if (this.#parts.service.hasRaised(name)) return; // a later look reports it
    watched.reportedFault = fault.cause;
    this.#parts.service.raise({ name, until: this.#parts.now() + QUIET_MS }, () =>
      newsOfAlarm(providerId, fault, alarm),
    );
  }

  /** Reports a cloud credential that cannot be renewed. */
  credentialFailed(id: string, { source, message }: CredentialFailure): void {
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
    this.faultChanged(id, view.fault);
    const watched = this.#watchedOf(id);
    const name = `provider_down ${id}`;
    const succeeded = view.requestsTotal - view.errorsTotal - view.slotsInUse;
    if (watched.outage) {
      if (this.#isWellAgain(view, succeeded - watched.outage.succeeded)) watched.outage = null;
      else if (isDown(view)) this.#extend(name, WELL_FOR_MS);
      return;
    }
    watched.looks = isDown(view) ? watched.looks + 1 : 0;
    if (watched.looks < LOOKS_TO_REPORT || this.#parts.service.hasRaised(name)) return;
    watched.looks = 0;
    watched.outage = { succeeded };
    this.#parts.service.raise({ name, until: this.#parts.now() + QUIET_MS }, () => newsOfOutage(id, view));
  }

  #extend(name: string, forMs: number): void {
    const now = this.#parts.now();
    if (now - (this.#extended.get(name) ?? Number.NEGATIVE_INFINITY) < EXTEND_EVERY_MS) return;
    this.#extended.set(name, now);
    this.#parts.service.extend(name, now + forMs);
  }

  /** Reports whether a provider works again. Without requests only its probes show that. */
  #isWellAgain(view: ProviderActivityView, successes: number): boolean {
    const { lastErrorAt, lastProbe } = view;
    if (isDown(view)) return false;
    if (lastErrorAt !== null && this.#parts.now() - lastErrorAt < WELL_FOR_MS) return false;
    return successes > 0 || lastProbe?.outcome === 'ok' || lastProbe?.outcome === 'canceled';
  }

  #watchedOf(id: string): WatchedProvider {
    const watched = this.#watched.get(id) ?? { looks: 0, outage: null, reportedFault: null };
    this.#watched.set(id, watched);
    return watched;
  }
}
