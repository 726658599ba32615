import { lookUp } from '../../base/lib/records.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { accountHeaders } from '../../translation/canonical/reserved-field.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { VERSION_HEADER, versionOf } from '../../translation/protocols/messages/protocol-version.ts';

const NONE: readonly string[] = [];

/**
 * The headers with which clients select a version or a preview of a vendor's protocol. Headers that select a
 * vendor account (`openai-organization`, `openai-project`) are excluded, since the account is the operator's.
 */
const vendorHeaders: Partial<Record<Wire, readonly string[]>> = {
  'openai-chat': ['openai-beta'],
  'openai-responses': ['openai-beta'],
  'anthropic-messages': [VERSION_HEADER, 'anthropic-beta'],
};

/** The headers of a client, and the changes before they are forwarded. */
export type Forwarding = {
  wire: Wire;
  client: Headers;
  /** Replacements by header name. Null removes the header. */
  edits?: Readonly<Record<string, string | null>> | undefined;
};

/**
 * Returns the client headers to forward to a provider that serves the client's own protocol. Returns
 * undefined if there are none.
 */
export function forwardedHeaders(
  provider: Provider,
  { wire, client, edits }: Forwarding,
): Record<string, string> | undefined {
  let forwarded: Record<string, string> | undefined;
  for (const name of namesFor(provider, wire)) {
    const edited = edits && lookUp(edits, name);
    const value = edited === undefined ? client.get(name) : edited;
    if (value === null || isUndated(name, value)) continue;
    forwarded ??= {};
    forwarded[name] = value;
  }
  return forwarded;
}

/** A version that is not a date has the meaning of the first one, which the wire's own header names. */
const isUndated = (name: string, value: string): boolean =>
  name === VERSION_HEADER && versionOf(value) !== value;

function namesFor({ forwardHeaders, allowFields }: Provider, wire: Wire): readonly string[] {
  const names = forwardHeaders ?? vendorHeaders[wire] ?? NONE;
  if (allowFields.size === 0 || wire !== 'anthropic-messages') return names;
  return [...names, ...accountHeaders.filter((name) => allowFields.has(name))];
}
