import { readStart } from '../../base/lib/read-start.ts';
import { USER_AGENT } from '../../base/lib/user-agent.ts';
import type { LocalAddress } from '../hosts/local-hosts.ts';

/** Requests a path of a local server, with POST if there is a body. Undefined: no answer, or an answer that is not JSON. */
export type AskServer = (path: string, body?: object) => Promise<unknown>;

const MOST_BYTES = 4 * 1024 * 1024;

/** Sends small requests to a local program, each with a timeout. Any program may listen there, so answers are bounded. */
export function asker({ address, apiKey }: LocalAddress, stopped: AbortSignal, timeoutMs: number): AskServer {
  const headers = { 'user-agent': USER_AGENT, ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  return async (path, body) => {
    const posted = body && { method: 'POST', body: JSON.stringify(body) };
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]);
    try {
      const response = await fetch(address + path, { ...posted, headers, redirect: 'manual', signal });
      const { text, isCut } = await readStart(response, MOST_BYTES);
      return response.status === 200 && !isCut ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  };
}
