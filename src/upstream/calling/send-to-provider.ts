import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { keyHeader, wireHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';

export type ProviderRequest = Pick<PlainRequest, 'method' | 'body' | 'signal'> & {
  /** Headers that replace those of the wire. */
  headers?: Readonly<Record<string, string>> | undefined;
  wire: Wire;
  path: string;
};

/** Sends a request of the gateway's own to a provider, with the provider's key and headers. */
export function sendToProvider(
  provider: Provider,
  { wire, path, body, headers, ...request }: ProviderRequest,
): Promise<Response> {
  return sendPlain({
    ...request,
    body,
    url: upstreamUrl({ ...provider, quirks: [] }, { path, upstreamModel: '' }),
    headers: {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...wireHeaders[wire],
      ...headers,
      ...keyHeader(provider, wire),
      ...provider.headers,
    },
  });
}
