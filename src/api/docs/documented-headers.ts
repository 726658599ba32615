import type { Names } from '../../base/lib/names.ts';

export type DocumentedHeader = {
  name: string;
  description: string;
  /** `error`: on answers from 400 on; `wait`: on those that say when to come back. */
  on: 'request' | 'every' | 'error' | 'wait' | 'some';
};

/** The headers that clients may send or read. One gets its row when it is really sent. */
export const documentedHeaders = ({ header }: Names): readonly DocumentedHeader[] => [
  {
    name: 'Authorization',
    on: 'request',
    description: '`Bearer` and an API key, or the admin token under `/admin/v1`.',
  },
  { name: 'x-api-key', on: 'request', description: 'An API key, at the addresses that take this header.' },
  {
    name: header.paymentMode,
    on: 'request',
    description: 'What pays: `payg` for purchased credit, `subscription` for the monthly credits.',
  },
  {
    name: 'content-encoding',
    on: 'request',
    description: 'A body may come as `gzip`, `br`, `deflate` or `zstd`.',
  },
  {
    name: header.requestId,
    on: 'every',
    description: "The request's id; the server's log has the same one. Also sent as `x-request-id`.",
  },
  { name: header.model, on: 'some', description: 'The model as the request named it, on errors too.' },
  {
    name: header.monthlyUsedPercent,
    on: 'some',
    description:
      "The share of this cycle's credits (Free: of those given) that is used, in percent; not in pay-as-you-go mode.",
  },
  {
    name: header.servedBy,
    on: 'some',
    description: 'The model that answered, where it is not the one that was asked for.',
  },
  ...['requests', 'tokens'].flatMap((what) => rateLimitHeaders(what)),
  { name: header.queueMs, on: 'some', description: 'How many milliseconds the request waited for capacity.' },
  {
    name: 'Idempotency-Key',
    on: 'request',
    description: 'With the creation of a batch: sent again with the same body, the same batch is answered.',
  },
  {
    name: 'idempotency-replayed',
    on: 'some',
    description: '`true` where a batch had been created before.',
  },
  { name: header.errorCode, on: 'error', description: 'The same as `error.code`.' },
  {
    name: 'x-should-retry',
    on: 'error',
    description: '`false` where the same request would fail again; the official SDKs read it.',
  },
  { name: 'retry-after', on: 'wait', description: 'Seconds to wait before the next attempt.' },
  { name: 'retry-after-ms', on: 'wait', description: 'The same in milliseconds.' },
  { name: 'Allow', on: 'some', description: 'With 405: the methods that the address takes.' },
];

/** Sent to everybody with a key. */
const rateLimitHeaders = (what: string): DocumentedHeader[] => [
  { name: `x-ratelimit-limit-${what}`, on: 'some', description: `How many ${what} a minute the plan has.` },
  { name: `x-ratelimit-remaining-${what}`, on: 'some', description: 'How many of them are left now.' },
  {
    name: `x-ratelimit-reset-${what}`,
    on: 'some',
    description: 'How long until all are there again, like `1.2s`.',
  },
];
