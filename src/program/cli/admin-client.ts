import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { Option } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { type ServerAccess, serverAccess } from './server-access.ts';

export const clientOptions = {
  json: { kind: 'flag', summary: 'Prints the answer as JSON' },
  url: {
    kind: 'text',
    placeholder: 'URL',
    summary:
      'Address of the server (default: the file address in the data directory, or http://127.0.0.1:8080)',
  },
  profile: {
    kind: 'text',
    placeholder: 'NAME',
    ids: 'profiles',
    summary: 'Profile of a remote server, see `profile add` (default: TOLLGATE_PROFILE)',
  },
  'admin-token': {
    kind: 'text',
    placeholder: 'TOKEN',
    summary: 'Admin token (default: TOLLGATE_ADMIN_TOKEN, or the file admin-token in the data directory)',
  },
  data: {
    kind: 'text',
    placeholder: 'DIR',
    summary: 'Data directory of the server (default: DATA_DIR, or ./data)',
  },
} as const satisfies Record<string, Option>;

const TIMEOUT_MS = 30_000;

// biome-ignore lint/suspicious/noExplicitAny: a server's JSON
export type AdminAnswer = any;
export type AdminCall = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  timeoutMs?: number;
};

/** Calls the admin API of the server that the options select. Throws a CommandFailure with the server's error message. */
export async function callAdmin(invocation: Invocation, { path, ...call }: AdminCall): Promise<AdminAnswer> {
  const access = serverAccess(invocation);
  const { status, answer } = await callServer(access, { ...call, path: `/admin/v1${path}` });
  if (status >= 200 && status < 300) return answer;
  const message = oneLine(answer?.error?.message ?? `${access.address} answered ${status}`);
  throw new CommandFailure(message, status);
}

/** Calls any address of a server. Throws a CommandFailure only if there is no answer in JSON. */
export async function callServer(
  { address, token }: ServerAccess,
  { method = 'GET', path, body, timeoutMs = TIMEOUT_MS }: AdminCall,
): Promise<{ status: number; headers: Headers; answer: AdminAnswer }> {
  const response = await reach(address, {
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

async function reach(address: string, request: PlainRequest): Promise<Response> {
  try {
    return await sendPlain(request);
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') {
      throw new CommandFailure(`${address} did not answer in time`);
    }
    throw new CommandFailure(`cannot reach ${address}: is the server running?`);
  }
}

async function readJson(response: Response, address: string): Promise<AdminAnswer> {
  try {
    // A model that speaks answers with sound.
    if (response.headers.get('content-type')?.startsWith('audio/'))
      return void (await response.arrayBuffer());
    return await response.json();
  } catch {
    throw new CommandFailure(
      `${address} answered ${response.status} without JSON: is this a Tollgate server?`,
    );
  }
}

const oneLine = (text: unknown): string => String(text).replace(/\s+/g, ' ');
