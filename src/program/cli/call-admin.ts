import { textOf } from '../../base/json/read-json.ts';
import type { AdminAnswer, AdminArguments, AdminKey } from '../../console/admin/admin-calls.ts';
import { callServer, errorOf, type ServerCall } from './call-server.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { type ServerAccess, serverAccess } from './server-access.ts';

type Timeout = Pick<ServerCall, 'timeoutMs'>;

/** The arguments of a call. They can be left out if the route needs none. */
type Call<Key extends AdminKey> =
  Record<never, never> extends AdminArguments<Key>
    ? [call?: AdminArguments<Key> & Timeout]
    : [call: AdminArguments<Key> & Timeout];

/** The arguments of a call of any route. */
type AnyCall = Timeout & {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
};

/**
 * Calls the admin API of the server that the options select. Throws a CommandFailure with the server's error
 * message.
 */
export async function callAdmin<Key extends AdminKey>(
  invocation: Invocation,
  key: Key,
  ...call: Call<Key>
): Promise<AdminAnswer<Key>> {
  return askAdmin(serverAccess(invocation), key, ...call);
}

/** Calls the admin API of a given server, as `callAdmin` does. */
export async function askAdmin<Key extends AdminKey>(
  access: ServerAccess,
  key: Key,
  ...[call]: Call<Key>
): Promise<AdminAnswer<Key>> {
  // The types of the routes are checked at the caller, which knows the key.
  const { params = {}, query = {}, body, timeoutMs } = (call ?? {}) as AnyCall;
  // A key is a method and a path, whose parameters the types require.
  const [method, path] = key.split(' ') as [ServerCall['method'], string];
  const filledPath = path.replace(/\{(\w+)\*?\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const { status, answer } = await callServer(access, {
    method,
    path: `/admin/v1${filledPath}${queryText(query)}`,
    body,
    timeoutMs,
  });
  if (status >= 200 && status < 300) return answer as AdminAnswer<Key>;
  const error = errorOf(answer);
  const message = textOf(error['message']) ?? `${access.address} answered ${status}`;
  throw new CommandFailure(message.replace(/\s+/g, ' '), status, error);
}

function queryText(query: NonNullable<AnyCall['query']>): string {
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, `${value}`]));
  return text.size === 0 ? '' : `?${text}`;
}
