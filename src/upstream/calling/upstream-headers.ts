import { USER_AGENT } from '../../base/lib/user-agent.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { type AuthorizedCall, authorization, JSON_TYPE } from './authorization.ts';
import { keyHeader } from './key-header.ts';
import { wireHeaders } from './wire-headers.ts';

/** A call of a model whose headers are built. */
export type UpstreamRequest = AuthorizedCall & {
  wire: Wire;
  /** The client's headers to forward, if it speaks the wire's own protocol. */
  forwarded?: Readonly<Record<string, string>> | undefined;
};

/**
 * Builds the headers of a call. The operator's configuration overrides the client's headers. Names can differ
 * only in case, and the last one counts.
 */
export const upstreamHeaders = (request: UpstreamRequest): Record<string, string> => {
  const { provider, wire, forwarded, contentType = JSON_TYPE } = request;
  return {
    'content-type': contentType,
    // Decoding a compressed answer takes more time than its shorter transfer saves.
    'accept-encoding': 'identity',
    'user-agent': USER_AGENT,
    ...wireHeaders[wire],
    ...forwarded,
    ...keyHeader(provider, wire),
    ...provider.headers,
    ...authorization(request),
  };
};
