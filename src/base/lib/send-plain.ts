import { USER_AGENT } from './user-agent.ts';

/** A request of the gateway itself, outside the path of a client's request. */
export type PlainRequest = {
  url: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | FormData | Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal;
  /** The name that the certificate must have, if the URL has a numeric address. */
  serverName?: string | undefined;
  /** The request goes through no proxy, even if the environment names one. */
  isDirect?: boolean | undefined;
};

/** The types of the runtime lack this value. */
const NO_PROXY = { proxy: false };

/**
 * Sends a request through the runtime's client. Redirects are not followed, since they could carry a key to
 * another host. Compressed answers are not decoded, since their size would have no bound.
 */
export const sendPlain = ({
  url,
  method = 'GET',
  headers,
  body,
  signal,
  serverName,
  isDirect,
}: PlainRequest): Promise<Response> =>
  fetch(url, {
    method,
    headers: { 'accept-encoding': 'identity', 'user-agent': USER_AGENT, ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    decompress: false,
    ...(isDirect && (NO_PROXY as object)),
    ...(serverName !== undefined && { tls: { serverName } }),
    signal,
  });
