import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** Matches the headers that name the client's program, its user, or a version of a vendor's protocol. */
const OF_CLIENTS = /^(host|user-agent|(openai|anthropic|x-stainless|x-openwebui)-.*)$/;
const MAX_LENGTH = 1_000;

/**
 * Returns the headers that change how a request is answered. They are stored with the response. The other
 * headers are not stored, since proxies in front of the gateway add tokens to requests.
 */
export function keptHeaders(headers: Headers, snapshot: Snapshot): Record<string, string> {
  const ownPrefix = `x-${snapshot.names.brand}-`;
  const forwarded = new Set(
    [...snapshot.providers.values()].flatMap(({ forwardHeaders }) => forwardHeaders ?? []),
  );
  const isKept = (name: string): boolean =>
    name.startsWith(ownPrefix) || OF_CLIENTS.test(name) || forwarded.has(name);
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) if (isKept(name) && value.length <= MAX_LENGTH) kept[name] = value;
  return kept;
}
