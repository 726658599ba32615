import { USER_AGENT } from '../../base/lib/user-agent.ts';
import type { AwsAccess, Provider } from '../../settings/hosts/providers.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { FIRST_VERSION, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { signAws } from './sign-aws.ts';

/** The default header of each wire for the provider's key. */
const keyHeaderOf: Readonly<Record<Wire, UpstreamKeyHeader>> = {
  'openai-chat': 'authorization',
  'openai-responses': 'authorization',
  'openai-completions': 'authorization',
  'openai-embeddings': 'authorization',
  'anthropic-messages': 'x-api-key',
  'google-generate': 'x-goog-api-key',
  'bedrock-converse': 'authorization',
};

/** Returns the header with the provider's key on this wire. Empty if the provider needs no key. */
export function keyHeader({ apiKey, keyHeader: own }: Provider, wire: Wire): Record<string, string> {
  if (apiKey === null) return {};
  const name = own ?? keyHeaderOf[wire];
  return { [name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey };
}

/** Further required headers of each wire. The client may override them. */
export const wireHeaders: Partial<Record<Wire, Record<string, string>>> = {
  'anthropic-messages': { [VERSION_HEADER]: FIRST_VERSION },
};

export type UpstreamRequest = {
  provider: Provider;
  wire: Wire;
  url: string;
  body: string;
  /** The client's headers to forward, if it speaks the wire's own protocol. */
  forwarded?: Readonly<Record<string, string>> | undefined;
  /** Default: JSON. */
  contentType?: string | undefined;
};

/** Builds the headers of a call. The operator's configuration overrides the client's headers. */
export const upstreamHeaders = (request: UpstreamRequest): Record<string, string> => {
  const { provider, wire, forwarded, contentType = CONTENT_TYPE } = request;
  return {
    'content-type': contentType,
    // Decoding an answer costs more than its longer way.
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

/** Only the content type is signed besides the required headers, since proxies change or add others. */
const signature = ({ url, body }: UpstreamRequest, { credentials, region }: AwsAccess) =>
  signAws(
    { method: 'POST', url: new URL(url), headers: { 'content-type': CONTENT_TYPE }, body },
    { credentials, region, service: 'bedrock', now: new Date() },
  );
