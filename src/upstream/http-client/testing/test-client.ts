import type { HttpRequest, HttpTimeouts } from '../http-answer.ts';
import { HttpClient, type HttpClientParts } from '../http-client.ts';
import { prepareRequestHead } from '../request-head.ts';

const LONG_MS = 10_000;
const noProxies = { http: false, https: false };

export type SentRequest = {
  body?: string;
  headers?: Record<string, string>;
  timeouts?: Partial<HttpTimeouts>;
  client?: AbortSignal;
} & Pick<HttpRequest, 'maxBytes' | 'reserveMemory' | 'trace' | 'streamed' | 'graceMs'>;

/** Starts a client with defaults for everything that a test does not set. */
export function startTestClient(parts: Partial<HttpClientParts> = {}) {
  const http = new HttpClient({ proxies: noProxies, ...parts });
  const always = new AbortController().signal;
  return {
    send: (
      url: string,
      {
        streamed,
        body = streamed ? '' : '{}',
        headers = {},
        timeouts,
        client = always,
        ...rest
      }: SentRequest = {},
    ) =>
      http.send({
        head: prepareRequestHead(url, headers),
        body,
        streamed,
        timeouts: {
          connectMs: LONG_MS,
          firstByteMs: LONG_MS,
          idleMs: LONG_MS,
          totalMs: LONG_MS,
          ...timeouts,
        },
        client,
        ...rest,
      }),
    async text(url: string, sent?: SentRequest): Promise<string> {
      const answer = await this.send(url, sent);
      return (await answer.readText(1_000_000)).text;
    },
    kept: () => http.idleConnections,
    close: () => http.close(),
  };
}
