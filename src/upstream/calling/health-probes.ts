import type { Provider, Providers } from '../../settings/hosts/providers.ts';
import type { LocalResources } from '../http-client/local-resources.ts';
import { askWhetherThere } from './ask-whether-there.ts';
import type { ProviderActivity } from './provider-activity.ts';

/** One probe may be lost on the way. */
const FAILURES_IN_A_ROW = 2;
/** A provider that is not there is left alone until the next probe has had its time, and no longer. */
const PAUSE_INTERVALS = 1.5;

export type ProbeParts = {
  activity: ProviderActivity;
  /** Where to turn when a provider is not there. */
  leaveAlone: (providerId: string, pauseMs: number) => void;
  /** Tells an error that is our own machine's. */
  resources: Pick<LocalResources, 'explain'>;
};

/** Asks providers now and then whether they are there: those for which the configuration says so, one probe at a time for each. */
export class HealthProbes {
  readonly #parts: ProbeParts;
  #round = new AbortController();

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  /** From now on these, as they are configured now. */
  follow(providers: Providers): void {
    this.close();
    this.#round = new AbortController();
    for (const provider of providers.values())
      if (provider.probe && provider.mode === 'live') void this.#ask(provider, this.#round.signal);
  }

  close(): void {
    this.#round.abort();
  }

  async #ask(provider: Provider, stopped: AbortSignal): Promise<void> {
    const probe = provider.probe!;
    let failures = 0;
    while (!stopped.aborted) {
      const startedAt = performance.now();
      const outcome = await askWhetherThere(
        provider,
        { ...probe, resources: this.#parts.resources },
        stopped,
      );
      if (stopped.aborted) return;
      const latencyMs = performance.now() - startedAt;
      if (outcome !== undefined) {
        this.#parts.activity.probed(provider.id, { outcome, latencyMs });
        failures = outcome === 'ok' || outcome === 'canceled' ? 0 : failures + 1;
      }
      if (failures >= FAILURES_IN_A_ROW)
        this.#parts.leaveAlone(provider.id, probe.intervalMs * PAUSE_INTERVALS);
      await pause(probe.intervalMs - latencyMs, stopped);
    }
  }
}

/** Ends early when it is over, and keeps no process alive. */
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
