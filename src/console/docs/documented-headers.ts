import type { Names } from '../../base/lib/names.ts';

export type DocumentedHeader = {
  name: string;
  description: string;
  /**
   * `every`: all answers; `error`: answers with status 400 or higher; `wait`: answers that ask the client to
   * retry later.
   */
  on: 'request' | 'every' | 'error' | 'wait' | 'some';
};

/** The headers that clients can send or read. */
export const documentedHeaders = ({ header }: Names): readonly DocumentedHeader[] => [
  {
    name: 'Authorization',
    on: 'request',
    description: '`Bearer` followed by an API key. Endpoints under `/admin/v1` take an admin token.',
  },
  { name: 'x-api-key', on: 'request', description: 'An API key, at the endpoints that accept this header.' },
  {
    name: header.paymentMode,
    on: 'request',
    description: 'The balance that pays: `payg` for purchased credit, `subscription` for monthly credits.',
  },
  {
    name: 'content-encoding',
    on: 'request',
    description: 'The compression of the request body: `gzip`, `br`, `deflate` or `zstd`.',
  },
  {
    name: 'traceparent',
    on: 'request',
    description:
      "The caller's place in a trace (W3C Trace Context). If the operator exports traces, the request's trace continues it.",
  },
  {
    name: header.requestId,
    on: 'every',
    description: "The request's id, as in the server's log. Also sent as `x-request-id`.",
  },
  { name: header.model, on: 'some', description: 'The model as the request named it, also on errors.' },
  {
    name: header.monthlyUsedPercent,
    on: 'some',
    description:
      "The used percentage of this cycle's credits. On the Free plan, the used percentage of all granted credits. Not sent in pay-as-you-go mode.",
  },
  {
    name: header.servedBy,
    on: 'some',
    description: 'The model that answered, if it is not the requested one.',
  },
  {
    name: header.simulated,
    on: 'some',
    description: '`true`: the simulator answered in place of the model. The answer is free.',
  },
  ...['requests', 'tokens'].flatMap((what) => rateLimitHeaders(what)),
  {
    name: header.queueMs,
    on: 'some',
    description: 'The time that the request queued for capacity, in milliseconds.',
  },
  {
    name: 'Idempotency-Key',
    on: 'request',
    description:
      'Creates a batch only once. A repeated request with the same key and body returns the same batch. For API keys with `retries`, a repeated request to a model gets the first answer.',
  },
  {
    name: 'idempotency-replayed',
    on: 'some',
    description: '`true` if the answer is that of an earlier request.',
  },
  {
    name: header.replayOf,
    on: 'some',
    description: 'The id of the request whose answer a repeated request got.',
  },
  {
    name: header.resumable,
    on: 'request',
    description:
      '`true`: the stream can be read again at `GET /v1/streams/{request_id}`. `false` turns off the setting of the API key.',
  },
  { name: header.errorCode, on: 'error', description: 'The error code, as in `error.code`.' },
  {
    name: 'x-should-retry',
    on: 'error',
    description: '`false` if the same request would fail again. The official SDKs read this header.',
  },
  { name: 'retry-after', on: 'wait', description: 'Seconds to wait before the next attempt.' },
  { name: 'retry-after-ms', on: 'wait', description: 'Milliseconds to wait before the next attempt.' },
  { name: 'Allow', on: 'some', description: 'On 405: the methods that the endpoint accepts.' },
];

/** Returns the headers that report a rate limit of the plan. Every request with a valid key gets them. */
const rateLimitHeaders = (what: string): DocumentedHeader[] => [
  { name: `x-ratelimit-limit-${what}`, on: 'some', description: `The plan's limit of ${what} per minute.` },
  {
    name: `x-ratelimit-remaining-${what}`,
    on: 'some',
    description: `The ${what} that remain until the limit is reached.`,
  },
  {
    name: `x-ratelimit-reset-${what}`,
    on: 'some',
    description: 'The time until the full limit is available again, for example `1.2s`.',
  },
];
