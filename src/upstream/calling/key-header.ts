import type { Provider } from '../../settings/hosts/providers.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/upstream-key-header.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** The header of each wire for the provider's key. A provider may have a header of its own. */
const defaultKeyHeaders: Readonly<Record<Wire, UpstreamKeyHeader>> = {
  'openai-chat': 'authorization',
  'openai-responses': 'authorization',
  'openai-completions': 'authorization',
  'openai-embeddings': 'authorization',
  'openai-images': 'authorization',
  'openai-audio': 'authorization',
  'openai-moderations': 'authorization',
  'cohere-rerank': 'authorization',
  'anthropic-messages': 'x-api-key',
  'google-generate': 'x-goog-api-key',
  'google-interactions': 'x-goog-api-key',
  'google-embeddings': 'x-goog-api-key',
  'bedrock-converse': 'authorization',
};

/**
 * Returns the header with the provider's key on this wire. The result is empty if the provider needs no key.
 */
export function keyHeader({ apiKey, keyHeader: own }: Provider, wire: Wire): Record<string, string> {
  if (apiKey === null) return {};
  const name = own ?? defaultKeyHeaders[wire];
  return { [name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey };
}
