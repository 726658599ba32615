import { type PlainRequest, sendPlain } from '../../base/lib/send-plain.ts';
import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { lowerCaseNames } from '../http-client/lower-case-names.ts';
import { authorization, JSON_TYPE } from './authorization.ts';
import { keyHeader } from './key-header.ts';
import { providerUrl } from './upstream-url.ts';
import { wireHeaders } from './wire-headers.ts';
import { REFUSED, withRenewal } from './with-renewal.ts';

/** A request that the gateway makes for itself, such as a probe. */
export type OwnRequest = Pick<PlainRequest, 'method' | 'signal'> & {
  body?: string | FormData | undefined;
  /** Headers that replace the wire's headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  wire: Wire;
  path: string;
};

/**
 * Sends a request of the gateway's own to a provider, with the provider's key or credential and its headers.
 */
export async function sendOwnRequest(provider: Provider, request: OwnRequest): Promise<Response> {
  const { cloud } = provider;
  if (cloud === null) return send(provider, request);
  return withRenewal(cloud.credential, {
    send: (secret) => send(provider, request, secret),
    isRefused: ({ status }) => REFUSED.has(status),
    discard: ({ body }) => body?.cancel(),
  });
}

async function send(
  provider: Provider,
  { wire, path, body: content, headers, ...request }: OwnRequest,
  secret?: CloudSecret,
): Promise<Response> {
  const project = secret?.kind === 'token' ? secret.project : null;
  const url = providerUrl(provider, { path, project });
  const isSigned = secret?.kind === 'keys';
  const { body, contentType } =
    isSigned && content instanceof FormData ? await asBytes(content) : asGiven(content);
  const { method = 'GET' } = request;
  const call = { provider, url, method, body: body instanceof FormData ? '' : (body ?? '') };
  const allHeaders = {
    ...(contentType && { 'content-type': contentType }),
    ...wireHeaders[wire],
    ...headers,
    ...keyHeader(provider, wire),
    ...provider.headers,
    ...authorization({ ...call, contentType, secret }),
  };
  return sendPlain({ ...request, body, url, headers: lowerCaseNames(allHeaders) });
}

type SentBody = { body: PlainRequest['body']; contentType: string | undefined };

/** Leaves a form to the runtime, which writes it and its content type. */
const asGiven = (body: OwnRequest['body']): SentBody => ({
  body,
  contentType: typeof body === 'string' ? JSON_TYPE : undefined,
});

/** Writes a form before it is sent, since a signature covers its bytes. */
async function asBytes(form: FormData): Promise<SentBody> {
  const response = new Response(form);
  const contentType = response.headers.get('content-type') ?? undefined;
  return { body: new Uint8Array(await response.arrayBuffer()), contentType };
}
