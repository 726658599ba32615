import { readStart } from '../../base/lib/read-start.ts';
import { sendPlain } from '../../base/lib/send-plain.ts';
import type { LocalAddress } from '../hosts/local-address.ts';

/**
 * Requests a path of a local server, with POST if there is a body. Returns undefined if there is no answer,
 * or the answer is not JSON.
 */
export type AskServer = (path: string, body?: object) => Promise<unknown>;

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Creates a function that sends small requests to a local program, each with a timeout. Any program may
 * listen there, so answers are bounded.
 */
export function createServerAsker(
  { address, apiKey }: LocalAddress,
  stopped: AbortSignal,
  timeoutMs: number,
): AskServer {
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  return async (path, body) => {
    const postInit = body && ({ method: 'POST', body: JSON.stringify(body) } as const);
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await sendPlain({ ...postInit, url: address + path, headers, signal });
      const { text, isCut } = await readStart(response, MAX_BYTES);
      return response.status === 200 && !isCut ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  };
}
