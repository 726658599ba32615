import type { JsonObject } from '../../base/json/json-body.ts';
import { readStart } from '../../base/lib/read-start.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { failureOfStatus } from '../../upstream/calling/failure-of-status.ts';
import { connectionFailure } from '../../upstream/calling/failures.ts';
import { sendOwnRequest } from '../../upstream/calling/send-own-request.ts';
import { complaintRefusal } from './provider-complaint.ts';
import { readObject } from './read-object.ts';

/** A call of the batch API of a provider. `path` is relative to its base URL. */
export type ProviderCall = {
  provider: Provider;
  wire: Wire;
  path: string;
  method?: 'GET' | 'POST' | 'DELETE';
  body?: string | FormData;
  /** Headers that replace headers of the wire. */
  headers?: Readonly<Record<string, string>>;
};

/** The timeout is long, since uploads and results are large and no client waits for them. */
const MAX_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Calls the provider's batch API. Throws a refusal on failure. */
export async function callProvider(call: ProviderCall): Promise<Response> {
  const { provider, wire, path, method = 'GET', body, headers } = call;
  let response: Response;
  try {
    const signal = AbortSignal.timeout(MAX_MS);
    response = await sendOwnRequest(provider, { wire, path, method, body, headers, signal });
  } catch (error) {
    throw complaintRefusal(provider, connectionFailure(error));
  }
  if (response.status === 200 || response.status === 201) return response;
  const { text } = await readStart(response, MAX_ANSWER_BYTES);
  const { status } = response;
  throw complaintRefusal(provider, { ...failureOfStatus(status, text, response.headers), status });
}

/** Calls the provider's batch API and returns its answer, a JSON object of limited size. */
export const askProvider = async (call: ProviderCall): Promise<JsonObject> =>
  readObject(await callProvider(call), MAX_ANSWER_BYTES);
