import type { Provider } from '../../settings/hosts/providers.ts';
import { accountHeaders } from '../../translation/canonical/reserved-field.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

const NONE: readonly string[] = [];

/**
 * The headers with which clients ask a vendor for a version of its protocol or a preview of it. Those that choose an account of the
 * vendor's (`openai-organization`, `openai-project`) are not among them: the account is the operator's.
 */
const vendorHeaders: Partial<Record<Wire, readonly string[]>> = {
  'openai-chat': ['openai-beta'],
  'openai-responses': ['openai-beta'],
  'anthropic-messages': ['anthropic-version', 'anthropic-beta'],
};

export type Forwarding = {
  wire: Wire;
  client: Headers;
  /** By name: what travels on in place of the client's value; null for nothing. */
  edits?: Readonly<Record<string, string | null>> | undefined;
};

/** What of a client's headers travels on to a provider that is spoken to in the client's own protocol. Undefined: none of them is there. */
export function forwardedHeaders(
  provider: Provider,
  { wire, client, edits }: Forwarding,
): Record<string, string> | undefined {
  let forwarded: Record<string, string> | undefined;
  for (const name of namesFor(provider, wire)) {
    const edited = edits?.[name];
    const value = edited === undefined ? client.get(name) : edited;
    if (value === null) continue;
    forwarded ??= {};
    forwarded[name] = value;
  }
  return forwarded;
}

function namesFor({ forwardHeaders, allowFields }: Provider, wire: Wire): readonly string[] {
  const names = forwardHeaders ?? vendorHeaders[wire] ?? NONE;
  if (allowFields.size === 0 || wire !== 'anthropic-messages') return names;
  return [...names, ...accountHeaders.filter((name) => allowFields.has(name))];
}
