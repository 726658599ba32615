import { createHmac } from 'node:crypto';
import type { Json } from './call.ts';
import { waitFor } from './wait-for.ts';

type ReceivedAlert = { body: Json; text: string; signature: string; isSigned: boolean };

/** The part of the address that only the receiver and the operator may know. */
const WEBHOOK_PATH = '/hooks/hidden-path?key=hidden-query';
export const WEBHOOK_SECRET = 'whsec_hidden-secret';

/** Starts a receiver of alerts. It accepts them until `answer` is changed. */
export function startWebhook(secret = WEBHOOK_SECRET) {
  const received: ReceivedAlert[] = [];
  const state = { answer: () => new Response('') };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const text = await request.text();
      const signature = request.headers.get('x-svc-signature') ?? '';
      const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      const isSigned = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex') === digest;
      received.push({ body: JSON.parse(text), text, signature, isSigned });
      return state.answer();
    },
  });
  const of = (event: string): Json[] =>
    received.filter(({ body }) => body.event === event).map(({ body }) => body);
  return {
    origin: server.url.origin,
    url: `${server.url.origin}${WEBHOOK_PATH}`,
    received,
    /** The alerts of one event. */
    of,
    arrives: (event: string, times = 1) => waitFor(() => of(event).length >= times, 30_000),
    answer: (answer: () => Response) => {
      state.answer = answer;
    },
    stop: () => server.stop(true),
  };
}
