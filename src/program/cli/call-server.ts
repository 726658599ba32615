import { objectOf, textOf } from '../../base/json/read-json.ts';
import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import { CommandFailure } from './command-failure.ts';
import type { ServerAccess } from './server-access.ts';

const TIMEOUT_MS = 30_000;

/** A call of any address of a server. `path` begins with a slash. */
export type ServerCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  timeoutMs?: number | undefined;
};

/** Calls any address of a server. Throws a CommandFailure only if there is no answer in JSON. */
export async function callServer(
  { address, token }: ServerAccess,
  { method, path, body, timeoutMs = TIMEOUT_MS }: ServerCall,
): Promise<{ status: number; headers: Headers; answer: unknown }> {
  const response = await sendTo(address, {
    url: `${address}${path}`,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await readJson(response, address);
  return { status: response.status, headers: response.headers, answer };
}

/** Returns the members of the error that the server wrote, or none. */
export const errorOf = (answer: unknown) => objectOf(objectOf(answer)['error']);

/** Returns the message of an error answer, if the server wrote one. */
export const errorMessageOf = (answer: unknown): string | undefined => textOf(errorOf(answer)['message']);

async function sendTo(address: string, request: PlainRequest): Promise<Response> {
  try {
    return await sendPlain(request);
  } catch (error) {
    if (isLate(error)) throw late(address);
    throw new CommandFailure(`cannot reach ${address}: is the server running?`);
  }
}

const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';
const late = (address: string): CommandFailure => new CommandFailure(`${address} did not answer in time`);

async function readJson(response: Response, address: string): Promise<unknown> {
  try {
    // A model that speaks answers with sound, which is not shown.
    if (response.headers.get('content-type')?.startsWith('audio/')) {
      await response.arrayBuffer();
      return undefined;
    }
    return await response.json();
  } catch (error) {
    if (isLate(error)) throw late(address);
    throw new CommandFailure(
      `${address} answered ${response.status} without JSON: is this a Tollgate server?`,
    );
  }
}
