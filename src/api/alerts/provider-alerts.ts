import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProviderActivity, ProviderActivityView } from '../../upstream/calling/provider-activity.ts';
import type { AlertDesk } from './alert-desk.ts';

const LOOK_EVERY_MS = 5_000;
/** The looks in a row that must find a provider down. One look may meet a moment of bad luck. */
const LOOKS_TO_TELL = 2;
/** The time without an error, with successes, after which a provider that was down can be told again. */
const WELL_FOR_MS = 5 * 60_000;
/** The shortest time between two alerts about the same condition of a provider. Restarts count as the same time. */
export const QUIET_MS = 15 * 60_000;

/** A condition that lasts is extended this often, so that processes which find it later do not tell it again. */
const EXTEND_EVERY_MS = 60_000;
/** An alert about a refused key can be told again this long after the condition was last seen. */
const KEY_WELL_FOR_MS = 2 * EXTEND_EVERY_MS;

export type ProviderAlertParts = {
  desk: Pick<AlertDesk, 'raise' | 'hasTold' | 'extend'>;
  providers(): Iterable<Provider>;
  activity: Pick<ProviderActivity, 'view'>;
  now(): number;
};

type Watched = { looks: number; told: { succeeded: number } | null; isKeyTold: boolean };

/** Looks at the health of live providers, and tells those that go down. */
export class ProviderAlerts {
  readonly #parts: ProviderAlertParts;
  readonly #watched = new Map<string, Watched>();
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
    for (const provider of this.#parts.providers())
      if (provider.mode === 'live') this.#lookAt(provider.id, this.#parts.activity.view(provider));
  }

  /** Tells a provider that refuses its key. Call it at each change of that state, so that no look is awaited. */
  keyChanged(providerId: string, isRefused: boolean): void {
    const watched = this.#watchedOf(providerId);
    if (!isRefused) watched.isKeyTold = false;
    if (!isRefused) return;
    const name = `provider_key_refused ${providerId}`;
    if (watched.isKeyTold) {
      this.#extend(name, KEY_WELL_FOR_MS);
      return;
    }
    if (this.#parts.desk.hasTold(name)) return; // a later look tells it
    watched.isKeyTold = true;
    this.#parts.desk.raise({ name, until: this.#parts.now() + QUIET_MS }, () => ({
      event: 'provider_key_refused',
      message: `The provider ${providerId} refuses the gateway's key. Its models fail until the key is replaced.`,
      data: { provider: providerId },
    }));
  }

  #lookAt(id: string, view: ProviderActivityView): void {
    this.keyChanged(id, view.keyRefusedSince !== null);
    const watched = this.#watchedOf(id);
    const name = `provider_down ${id}`;
    const succeeded = view.requestsTotal - view.errorsTotal - view.slotsInUse;
    if (watched.told) {
      if (this.#isWellAgain(view, succeeded - watched.told.succeeded)) watched.told = null;
      else if (isDown(view)) this.#extend(name, WELL_FOR_MS);
      return;
    }
    watched.looks = isDown(view) ? watched.looks + 1 : 0;
    if (watched.looks < LOOKS_TO_TELL || this.#parts.desk.hasTold(name)) return;
    Object.assign(watched, { looks: 0, told: { succeeded } });
    this.#parts.desk.raise({ name, until: this.#parts.now() + QUIET_MS }, () => newsOf(id, view));
  }

  #extend(name: string, forMs: number): void {
    const now = this.#parts.now();
    if (now - (this.#extended.get(name) ?? Number.NEGATIVE_INFINITY) < EXTEND_EVERY_MS) return;
    this.#extended.set(name, now);
    this.#parts.desk.extend(name, now + forMs);
  }

  /** A provider without requests proves nothing. Its probes do. */
  #isWellAgain(view: ProviderActivityView, successes: number): boolean {
    const { lastErrorAt, lastProbe } = view;
    if (isDown(view)) return false;
    if (lastErrorAt !== null && this.#parts.now() - lastErrorAt < WELL_FOR_MS) return false;
    return successes > 0 || lastProbe?.outcome === 'ok' || lastProbe?.outcome === 'canceled';
  }

  #watchedOf(id: string): Watched {
    const known = this.#watched.get(id);
    if (known) return known;
    const watched: Watched = { looks: 0, told: null, isKeyTold: false };
    this.#watched.set(id, watched);
    return watched;
  }
}

/** A refused key has an alert of its own. A drained provider is meant to be out of use. */
function isDown({ health, keyRefusedSince, lastProbe }: ProviderActivityView): boolean {
  if (health === 'drained' || keyRefusedSince !== null) return false;
  return health === 'down' || lastProbe?.outcome === 'error' || lastProbe?.outcome === 'timeout';
}

function newsOf(id: string, { errorRate, lastErrorAt, lastProbe }: ProviderActivityView) {
  const probeFailed = lastProbe?.outcome === 'error' || lastProbe?.outcome === 'timeout';
  const calls = `${Math.round(errorRate * 100)} % of the calls in the last minute have failed.`;
  return {
    event: 'provider_down' as const,
    message: `The provider ${id} is down. ${probeFailed ? 'The latest probe has failed.' : calls}`,
    data: {
      ...{ provider: id, error_rate: errorRate, probe_failed: probeFailed },
      last_error_at: lastErrorAt === null ? null : new Date(lastErrorAt).toISOString(),
    },
  };
}
