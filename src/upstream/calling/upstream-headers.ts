import { USER_AGENT } from '../../base/lib/user-agent.ts';
import type { AwsCredentials } from '../../settings/hosts/aws-credentials.ts';
import type { AwsPlan } from '../../settings/hosts/cloud-plan.ts';
import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { UpstreamKeyHeader } from '../../translation/canonical/upstream-key-header.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { FIRST_VERSION, VERSION_HEADER } from '../../translation/protocols/messages/protocol-version.ts';
import { type AwsRequest, signAws } from './sign-aws.ts';

const CONTENT_TYPE = 'application/json';

/** The default header of each wire for the provider's key. */
const keyHeaderOf: Readonly<Record<Wire, UpstreamKeyHeader>> = {
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
  const name = own ?? keyHeaderOf[wire];
  return { [name]: name === 'authorization' ? `Bearer ${apiKey}` : apiKey };
}

/** Further required headers of each wire. The client may override them. */
export const wireHeaders: Partial<Record<Wire, Record<string, string>>> = {
  'anthropic-messages': { [VERSION_HEADER]: FIRST_VERSION },
};

/** A call whose headers are built. */
export type UpstreamRequest = {
  provider: Provider;
  wire: Wire;
  url: string;
  body: AwsRequest['body'];
  /** The client's headers to forward, if it speaks the wire's own protocol. */
  forwarded?: Readonly<Record<string, string>> | undefined;
  /** Default: JSON. */
  contentType?: string | undefined;
  method?: AwsRequest['method'] | undefined;
  /** The credential of the call to a provider in a cloud. */
  secret?: CloudSecret | undefined;
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
    ...authorization(request),
  };
};

/** Returns the headers that authorize a call to a provider in a cloud. */
export function authorization(request: Omit<UpstreamRequest, 'wire'>): Record<string, string> | undefined {
  const { secret, provider } = request;
  if (secret === undefined) return undefined;
  if (secret.kind === 'token') {
    const { token, quotaProject } = secret;
    return { authorization: `Bearer ${token}`, ...(quotaProject && { 'x-goog-user-project': quotaProject }) };
  }
  return provider.cloud?.plan.kind === 'aws'
    ? signature(request, provider.cloud.plan, secret.keys)
    : undefined;
}

/** Only the content type is signed besides the required headers, since proxies change or add others. */
const signature = (
  { url, body, contentType = CONTENT_TYPE, method = 'POST' }: Omit<UpstreamRequest, 'wire'>,
  { region, service }: AwsPlan,
  credentials: AwsCredentials,
) =>
  signAws(
    { method, url: new URL(url), headers: { 'content-type': contentType }, body },
    { credentials, region, service, now: new Date() },
  );
