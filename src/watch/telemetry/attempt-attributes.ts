import type { AttemptSpan } from '../../base/tracing/attempt-span.ts';
import { operationOf, providerNameOf } from './gen-ai-values.ts';
import type { AttributeRow, GenAiRow } from './request-attributes.ts';

/** A call with its number among the request's calls, and with the route of the request. */
export type AttemptFacts = { attempt: AttemptSpan; index: number; route: string };

/** The outcomes that say that an attempt failed. A canceled one says nothing about its provider. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'timeout', 'key-refused']);

/**
 * Reports whether the attempt failed for its request. A final refusal is such a failure, but says nothing
 * against the provider.
 */
export const hasFailed = ({ outcome, errorCode }: AttemptSpan): boolean =>
  errorCode !== undefined || FAILURES.has(outcome);

const statusOf = ({ status, firstByteAtMs, outcome }: AttemptSpan): number | undefined =>
  status ?? (firstByteAtMs !== undefined || outcome === 'ok' ? 200 : undefined);

type Server = { address: string; port: number };

/** The servers of recent base URLs. Reloads can change the URLs. */
const servers = new Map<string, Server>();
const MAX_SERVERS = 1_000;

function serverOf({ provider: { baseUrl } }: AttemptSpan): Server {
  const knownServer = servers.get(baseUrl);
  if (knownServer) return knownServer;
  const { hostname, port, protocol } = new URL(baseUrl);
  const server = { address: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  if (servers.size >= MAX_SERVERS) servers.clear();
  servers.set(baseUrl, server);
  return server;
}

/** The attributes of an attempt's span that the GenAI conventions name. */
export const attemptGenAi: readonly GenAiRow<AttemptFacts>[] = [
  { fact: 'operation', repeats: ({ route }) => operationOf(route) },
  { fact: 'provider', repeats: ({ attempt }) => providerNameOf(attempt.provider.id) },
  { fact: 'requestModel', repeats: ({ attempt }) => attempt.model },
];

export const attemptRows: readonly AttributeRow<AttemptFacts>[] = [
  { name: 'http.request.method', repeats: () => 'POST' },
  { name: 'server.address', repeats: ({ attempt }) => serverOf(attempt).address },
  { name: 'server.port', repeats: ({ attempt }) => serverOf(attempt).port },
  { name: 'http.response.status_code', repeats: ({ attempt }) => statusOf(attempt) },
  { name: 'http.request.resend_count', repeats: ({ index }) => index || undefined },
  {
    name: 'error.type',
    repeats: ({ attempt }) =>
      hasFailed(attempt) ? String(attempt.status ?? attempt.errorCode ?? attempt.outcome) : undefined,
  },
  { name: 'tollgate.provider.id', repeats: ({ attempt }) => attempt.provider.id },
  { name: 'tollgate.attempt.outcome', repeats: ({ attempt }) => attempt.outcome },
  {
    name: 'tollgate.attempt.time_to_first_part',
    read: ({ attempt: { firstByteAtMs, startedAtMs } }) =>
      firstByteAtMs === undefined ? undefined : (firstByteAtMs - startedAtMs) / 1_000,
  },
];
