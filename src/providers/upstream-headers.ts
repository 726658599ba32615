import type { Wire } from '../canonical/wire.ts';
import { forwardedHeaders } from './forwarded-headers.ts';
import type { AwsAccess, Provider } from './providers.ts';
import { signAws } from './sign-aws.ts';

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** How each wire takes its key. */
const keyHeaders: Record<Wire, (apiKey: string) => Record<string, string>> = {
  'openai-chat': bearer,
  'openai-responses': bearer,
  'openai-completions': bearer,
  'openai-embeddings': bearer,
  'anthropic-messages': (apiKey) => ({ 'x-api-key': apiKey }),
  'google-generate': (apiKey) => ({ 'x-goog-api-key': apiKey }),
  'bedrock-converse': bearer,
};

/** What a wire asks for beside; a client may have said it otherwise. */
const wireHeaders: Partial<Record<Wire, Record<string, string>>> = {
  'anthropic-messages': { 'anthropic-version': '2023-06-01' },
};

export type UpstreamRequest = {
  provider: Provider;
  wire: Wire;
  url: string;
  body: string;
  /** Of a client that speaks the wire's own protocol. */
  clientHeaders?: Headers | undefined;
};

/** What the operator set in the configuration counts most, then what the client said. */
export const upstreamHeaders = (request: UpstreamRequest): Record<string, string> => {
  const { provider, wire, clientHeaders } = request;
  return {
    'content-type': CONTENT_TYPE,
    // Compressed answers would have to be bounded a second time, behind their decoding.
    'accept-encoding': 'identity',
    'user-agent': 'tollgate',
    ...wireHeaders[wire],
    ...(clientHeaders && forwardedHeaders(provider, wire, clientHeaders)),
    ...(provider.apiKey !== null && keyHeaders[wire](provider.apiKey)),
    ...provider.headers,
    ...(provider.aws && signature(request, provider.aws)),
  };
};

const CONTENT_TYPE = 'application/json';

/** Only the type is signed beside what has to be: proxies change or add the rest. */
const signature = ({ url, body }: UpstreamRequest, { credentials, region }: AwsAccess) =>
  signAws(
    { method: 'POST', url: new URL(url), headers: { 'content-type': CONTENT_TYPE }, body },
    { credentials, region, service: 'bedrock', now: new Date() },
  );
