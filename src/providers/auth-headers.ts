import type { Wire } from '../canonical/wire.ts';
import type { Provider } from './providers.ts';

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** How each wire takes its key. */
const keyHeaders: Record<Wire, (apiKey: string) => Record<string, string>> = {
  'openai-chat': bearer,
  'openai-responses': bearer,
  'openai-completions': bearer,
  'openai-embeddings': bearer,
  'anthropic-messages': (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
  'google-generate': (apiKey) => ({ 'x-goog-api-key': apiKey }),
  'bedrock-converse': bearer,
};

export const upstreamHeaders = (provider: Provider, wire: Wire): Record<string, string> => ({
  'content-type': 'application/json',
  // Compressed answers would have to be bounded a second time, behind their decoding.
  'accept-encoding': 'identity',
  'user-agent': 'tollgate',
  ...(provider.apiKey === null ? {} : keyHeaders[wire](provider.apiKey)),
  ...provider.headers,
});
