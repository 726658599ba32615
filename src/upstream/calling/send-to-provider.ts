import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { authorization, keyHeader, wireHeaders } from './upstream-headers.ts';
import { upstreamUrl } from './upstream-url.ts';

export type ProviderRequest = Pick<PlainRequest, 'method' | 'body' | 'signal'> & {
  /** Headers that replace those of the wire. */
  headers?: Readonly<Record<string, string>> | undefined;
  wire: Wire;
  path: string;
};

/** Sends a request of the gateway's own to a provider, with the provider's key or credential and its headers. */
export async function sendToProvider(
  provider: Provider,
  { wire, path, body, headers, ...request }: ProviderRequest,
): Promise<Response> {
  const secret = await provider.cloud?.credential.current();
  const project = secret?.kind === 'token' ? secret.project : null;
  const url = upstreamUrl({ ...provider, quirks: [] }, { path, upstreamModel: '', project });
  const text = typeof body === 'string' ? body : '';
  const method = request.method === undefined || request.method === 'GET' ? 'GET' : 'POST';
  return sendPlain({
    ...request,
    ...{ body, url },
    headers: {
      ...((typeof body === 'string' || secret?.kind === 'keys') && { 'content-type': 'application/json' }),
      ...wireHeaders[wire],
      ...headers,
      ...keyHeader(provider, wire),
      ...provider.headers,
      ...authorization({ provider, url, body: text, method, secret }),
    },
  });
}
