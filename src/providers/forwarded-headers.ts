import type { Wire } from '../canonical/wire.ts';
import type { Provider } from './providers.ts';

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

/** What of a client's headers travels on to a provider that is spoken to in the client's own protocol. */
/** Undefined: none of them is there. */
export function forwardedHeaders(
  { forwardHeaders }: Provider,
  wire: Wire,
  client: Headers,
): Record<string, string> | undefined {
  let forwarded: Record<string, string> | undefined;
  for (const name of forwardHeaders ?? vendorHeaders[wire] ?? NONE) {
    const value = client.get(name);
    if (value === null) continue;
    forwarded ??= {};
    forwarded[name] = value;
  }
  return forwarded;
}
