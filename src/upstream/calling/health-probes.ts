import type { Provider, Providers } from '../../settings/hosts/providers.ts';
import type { ErrorExplainer } from '../http-client/local-resources.ts';
import { probeProvider } from './probe-provider.ts';
import type { ProviderActivity } from './provider-activity.ts';

/** The failures in a row that mark a provider as unreachable. A single probe may be lost on the network. */
const FAILURES_IN_A_ROW = 2;
/** The pause of an unreachable provider, in probe intervals. It ends shortly after the next probe is due. */
const PAUSE_INTERVALS = 1.5;

type ProbeSettings = NonNullable<Provider['probe']>;

export type ProbeParts = {
  activity: ProviderActivity;
  /** Pauses a provider that is unreachable. */
  leaveAlone: (providerId: string, pauseMs: number) => void;
  /** Recognises errors that this machine caused. */
  resources: ErrorExplainer;
};

/** Probes the providers for which the configuration asks for it, one probe at a time for each provider. */
export class HealthProbes {
  readonly #parts: ProbeParts;
  #round = new AbortController();

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  /** Probes these providers from now on, with their current settings. */
  follow(providers: Providers): void {
    this.close();
    this.#round = new AbortController();
    for (const provider of providers.values())
      if (provider.probe && provider.mode === 'live')
        void this.#probe(provider, provider.probe, this.#round.signal);
  }

  close(): void {
    this.#round.abort();
  }

  async #probe(provider: Provider, settings: ProbeSettings, stopped: AbortSignal): Promise<void> {
    const { activity, leaveAlone, resources } = this.#parts;
    let failures = 0;
    while (!stopped.aborted) {
      const startedAt = performance.now();
      const verdict = await probeProvider(provider, { ...settings, resources }, stopped);
      if (stopped.aborted) return;
      const latencyMs = performance.now() - startedAt;
      if (verdict !== undefined) {
        const { outcome } = verdict;
        activity.probed(provider.id, { ...verdict, latencyMs });
        failures = outcome === 'ok' || outcome === 'canceled' ? 0 : failures + 1;
      }
      if (failures >= FAILURES_IN_A_ROW) leaveAlone(provider.id, settings.intervalMs * PAUSE_INTERVALS);
      await pause(settings.intervalMs - latencyMs, stopped);
    }
  }
}

/** Waits, or returns early when the probes are stopped. The timer does not keep the process alive. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, ms));
  timer.unref();
  const stop = () => resolve();
  stopped.addEventListener('abort', stop);
  return promise.finally(() => {
    clearTimeout(timer);
    stopped.removeEventListener('abort', stop);
  });
}
