import type { Provider } from '../../settings/hosts/providers.ts';
import { type ErrorExplainer, LocallyStarved } from '../http-client/local-resources.ts';
import { failureOfStatus } from './failure-of-status.ts';
import type { ProbeResult } from './provider-activity-view.ts';
import { isCertificateFault } from './provider-fault.ts';
import { sendOwnRequest } from './send-own-request.ts';

const MAX_MS = 10_000;

type ProbeVerdict = Pick<ProbeResult, 'outcome' | 'fault'>;

type Probe = NonNullable<Provider['probe']> & { resources: ErrorExplainer };

/** The verdict of a probe that says nothing about the provider. */
const NO_VERDICT: ProbeVerdict = { outcome: 'canceled' };

/**
 * Sends a small request to a provider to check that it is reachable. Returns undefined if this machine could
 * not send the request.
 */
export async function probeProvider(
  provider: Provider,
  { intervalMs, path, resources }: Probe,
  stopped: AbortSignal,
): Promise<ProbeVerdict | undefined> {
  const { connectMs, firstByteMs } = provider.timeouts;
  const tooLong = AbortSignal.timeout(Math.min(connectMs + firstByteMs, intervalMs, MAX_MS));
  try {
    const signal = AbortSignal.any([stopped, tooLong]);
    const response = await sendOwnRequest(provider, { wire: provider.wires[0]!, path, signal });
    await response.body?.cancel(); // any answer proves that the host is reachable
    return verdictOf(response);
  } catch (error) {
    if (stopped.aborted) return NO_VERDICT;
    if (tooLong.aborted) return { outcome: 'timeout' };
    if (resources.explain(error) instanceof LocallyStarved) return undefined;
    return { outcome: 'error', ...(isCertificateFault(error) && { fault: 'certificate' }) };
  }
}

function verdictOf({ status, headers }: Response): ProbeVerdict {
  if (status >= 200 && status < 300) return { outcome: 'ok' };
  // The host is there, and does not know the path or the request of the probe.
  if (status > 403 && status < 500 && status !== 408 && status !== 429) return NO_VERDICT;
  const { outcome, fault } = failureOfStatus(status, '', headers);
  return { outcome, ...(fault && { fault }) };
}
