import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { AdminAnswer, AdminArguments, AdminKey } from '../../console/admin/admin-calls.ts';
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

type Timeout = { timeoutMs?: number };

/** The arguments of a call. They can be left out if the route needs none. */
type Rest<Key extends AdminKey> =
  Record<never, never> extends AdminArguments<Key>
    ? [call?: AdminArguments<Key> & Timeout]
    : [call: AdminArguments<Key> & Timeout];

type AnyCall = Timeout & {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
};

/**
 * Calls the admin API of the server that the options select.
 * Throws a CommandFailure with the server's error message.
 *
 * Example:
 *
 *     const account = await callAdmin(invocation, 'GET /accounts/{id}', { params: { id } });
 */
export async function callAdmin<Key extends AdminKey>(
  invocation: Invocation,
  key: Key,
  ...[call]: Rest<Key>
): Promise<AdminAnswer<Key>> {
  const access = serverAccess(invocation);
  return askAdmin(access, key, ...([call] as Rest<Key>));
}

/** Calls the admin API of a server, as `callAdmin` does. */
export async function askAdmin<Key extends AdminKey>(
  access: ServerAccess,
  key: Key,
  ...[call]: Rest<Key>
): Promise<AdminAnswer<Key>> {
  const { params = {}, query = {}, body, timeoutMs } = (call ?? {}) as AnyCall;
  const [method, path] = key.split(' ') as [ServerCall['method'], string];
  const filled = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const { status, answer } = await callServer(access, {
    method,
    path: `/admin/v1${filled}${queryText(query)}`,
    body,
    timeoutMs,
  });
  if (status >= 200 && status < 300) return answer as AdminAnswer<Key>;
  const message = oneLine(errorMessageOf(answer) ?? `${access.address} answered ${status}`);
  throw new CommandFailure(message, status);
}

function queryText(query: NonNullable<AnyCall['query']>): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, `${value}`]));
  return text.size === 0 ? '' : `?${text}`;
}

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

/** Returns the message of an error answer, if the server wrote one. */
export const errorMessageOf = (answer: unknown): string | undefined =>
  (answer as { error?: { message?: string } } | null | undefined)?.error?.message;

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

async function readJson(response: Response, address: string): Promise<unknown> {
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
