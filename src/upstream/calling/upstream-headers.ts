import { USER_AGENT } from '../../base/lib/user-agent.ts';
import type { AwsAccess, Provider } from '../../settings/hosts/providers.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { signAws } from './sign-aws.ts';

/** The header that each wire takes its key in, where its host has no way of its own. */
const keyHeaderOf: Readonly<Record<Wire, UpstreamKeyHeader>> = {
  'openai-chat': 'authorization',
  'openai-responses': 'authorization',
  'openai-completions': 'authorization',
  'openai-embeddings': 'authorization',
  'anthropic-messages': 'x-api-key',
  'google-generate': 'x-goog-api-key',
  'bedrock-converse': 'authorization',
};

/** The provider's key as it wants it on that wire; nothing where it asks for none. */
export function keyHeader({ apiKey, keyHeader: own }: Provider, wire: Wire): Record<string, string> {
  if (apiKey === null) return {};
  const name = own ?? keyHeaderOf[wire];
  return { [name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey };
}

/** What a wire asks for beside; a client may have said it otherwise. */
export const wireHeaders: Partial<Record<Wire, Record<string, string>>> = {
  'anthropic-messages': { 'anthropic-version': '2023-06-01' },
};

export type UpstreamRequest = {
  provider: Provider;
  wire: Wire;
  url: string;
  body: string;
  /** What travels on of a client that speaks the wire's own protocol. */
  forwarded?: Readonly<Record<string, string>> | undefined;
};

/** What the operator set in the configuration counts most, then what the client said. */
export const upstreamHeaders = (request: UpstreamRequest): Record<string, string> => {
  const { provider, wire, forwarded } = request;
  return {
    'content-type': CONTENT_TYPE,
    // Compressed answers would have to be bounded a second time, behind their decoding.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...wireHeaders[wire],
    ...forwarded,
    ...keyHeader(provider, wire),
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
