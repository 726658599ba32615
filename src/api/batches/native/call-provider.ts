import { Refusal } from '../../../base/errors/refusal.ts';
import { readStart } from '../../../base/lib/read-start.ts';
import type { Provider } from '../../../settings/hosts/providers.ts';
import type { Wire } from '../../../translation/canonical/wire.ts';
import { sendToProvider } from '../../../upstream/calling/send-to-provider.ts';
import { broken, failureOfStatus } from '../../../upstream/calling/upstream-failure.ts';

export type ProviderCall = {
  provider: Provider;
  wire: Wire;
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: string | FormData;
};

/** Uploads and results are large, and nobody waits for them. */
const LONGEST_MS = 10 * 60_000;
const MOST_ANSWER_BYTES = 1024 * 1024;

/** A call of the provider's batch interface; throws the refusal that a failure means. */
export async function callProvider(call: ProviderCall): Promise<Response> {
  const { provider, wire, path, method = 'GET', body } = call;
  let response: Response;
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    response = await sendToProvider(provider, { wire, path, method, body, signal });
  } catch (error) {
    throw broken(error).refusal;
  }
  if (response.status === 200 || response.status === 201) return response;
  const { text } = await readStart(response, MOST_ANSWER_BYTES);
  throw failureOfStatus(response.status, text, response.headers).refusal;
}

/** The same where the answer is a JSON object of moderate size. */
export async function askProvider(call: ProviderCall): Promise<Record<string, unknown>> {
  const response = await callProvider(call);
  try {
    const { text } = await readStart(response, MOST_ANSWER_BYTES);
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // not JSON: said below
  }
  throw new Refusal('upstream_unavailable');
}
