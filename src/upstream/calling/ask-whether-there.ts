import type { Provider } from '../../settings/hosts/providers.ts';
import { LocallyStarved, type LocalResources } from '../http-client/local-resources.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import { sendToProvider } from './send-to-provider.ts';
import { failureOfStatus } from './upstream-failure.ts';

const LONGEST_MS = 10_000;

type Probe = NonNullable<Provider['probe']> & { resources: Pick<LocalResources, 'explain'> };

/**
 * Sends a small request to a provider to check that it is reachable. `canceled` means that the host answered but does not know the path.
 * Undefined if this machine could not send the request.
 */
export async function askWhetherThere(
  provider: Provider,
  { intervalMs, path, resources }: Probe,
  stopped: AbortSignal,
): Promise<AttemptOutcome | undefined> {
  const { connectMs, firstByteMs } = provider.timeouts;
  const tooLong = AbortSignal.timeout(Math.min(connectMs + firstByteMs, intervalMs, LONGEST_MS));
  try {
    const signal = AbortSignal.any([stopped, tooLong]);
    const response = await sendToProvider(provider, { wire: provider.wires[0]!, path, signal });
    await response.body?.cancel(); // any answer proves that the host is reachable
    return outcomeOf(response);
  } catch (error) {
    if (stopped.aborted) return 'canceled';
    if (tooLong.aborted) return 'timeout';
    return resources.explain(error) instanceof LocallyStarved ? undefined : 'error';
  }
}

function outcomeOf({ status, headers }: Response): AttemptOutcome {
  if (status === 200) return 'ok';
  const saysNothing = status > 403 && status < 500 && status !== 408 && status !== 429;
  return saysNothing ? 'canceled' : failureOfStatus(status, '', headers).outcome;
}
