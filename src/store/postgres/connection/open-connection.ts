import { isIP } from 'node:net';
import { codeOfError } from '../../../base/lib/error-code.ts';
import { lookUpAddresses } from '../../../upstream/http-client/look-up-addresses.ts';
import { ConnectFailure } from './connect-failure.ts';
import { type ConnectionTarget, type PostgresHost, placeOf } from './connection-target.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { errorOf, StartingConnection } from './starting-connection.ts';

export type OpenOptions = {
  timeoutMs: number;
  /** True if a standby may be used. */
  allowsReadOnly?: boolean;
};

/** Connects to the first host that accepts writes. The time is the limit for each host. */
export async function openConnection(
  target: ConnectionTarget,
  options: OpenOptions,
): Promise<PostgresConnection> {
  const timeoutMs = Math.min(options.timeoutMs, target.connectTimeoutMs ?? Number.POSITIVE_INFINITY);
  let failure: unknown;
  for (const host of target.hosts) {
    try {
      return await openNamed(host, target, { ...options, timeoutMs });
    } catch (error) {
      failure = failureAt(host, error);
    }
  }
  throw failure;
}

/** Tries the addresses that the host has now, since the runtime remembers those of an earlier connection. */
async function openNamed(
  host: PostgresHost,
  target: ConnectionTarget,
  options: OpenOptions,
): Promise<PostgresConnection> {
  const addresses = host.host.startsWith('/') ? [host.host] : await lookUp(host, options.timeoutMs);
  const timeoutMs = options.timeoutMs / Math.max(1, addresses.length);
  let failure: unknown = new Error('the host has no address');
  for (const address of addresses) {
    try {
      return await openHost({ ...host, address }, target, { ...options, timeoutMs });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function lookUp({ host }: PostgresHost, timeoutMs: number): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(lateError(timeoutMs, 'the name server')), timeoutMs);
  return Promise.race([lookUpAddresses(host), late]).finally(() => clearTimeout(timer));
}

const lateError = (timeoutMs: number, party: string): Error =>
  Object.assign(new Error(`${party} did not answer within ${timeoutMs / 1_000} s`), {
    code: 'CONNECT_TIMEOUT',
  });

async function openHost(
  host: PostgresHost,
  target: ConnectionTarget,
  { timeoutMs, allowsReadOnly = false }: OpenOptions,
): Promise<PostgresConnection> {
  const starting = new StartingConnection(host, target);
  const late = lateError(timeoutMs, 'the server');
  const timer = setTimeout(() => starting.fail(late), timeoutMs);
  try {
    const connection = await starting.run();
    if (allowsReadOnly || !isReadOnly(connection)) return connection;
    connection.end();
    throw Object.assign(new Error('the server is a standby, which refuses writes'), { code: '25006' });
  } catch (error) {
    starting.fail(errorOf(error));
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const isReadOnly = ({ facts: { parameters } }: PostgresConnection): boolean =>
  parameters.get('in_hot_standby') === 'on' || parameters.get('default_transaction_read_only') === 'on';

/** Returns an error whose message names the host. */
function failureAt(host: PostgresHost, error: unknown): ConnectFailure {
  const { message } = error as { message?: string };
  const place = placeOf(host);
  const text = message?.includes(place) ? message : `${message ?? error} (${place})`;
  return new ConnectFailure(text, codeOfError(error), error);
}
