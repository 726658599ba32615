import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { READS_PER_REQUEST } from '../../settings/plans/plan.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import type { LimitFigures } from './limit-figures.ts';

/** The limits of a plan, and those of a key of its own. */
export type LimitFaultKind =
  | 'requests'
  | 'long-requests'
  | 'network'
  | 'tokens'
  | 'concurrent'
  | 'reads'
  | 'key-requests'
  | 'key-tokens'
  | 'key-concurrent';

/** The limit that refuses a request, and the time until it would admit the request. */
export type LimitFault = {
  kind: LimitFaultKind;
  waitMs: number;
  /** The taken part of the limit, if it is known. */
  used?: number | undefined;
};

/** The figures that a request was checked against. */
export type CheckedFigures = {
  figures: LimitFigures;
  key?: { limits: KeyLimits } | undefined;
  /** The amount that the request would have taken. */
  requests?: number;
  tokens?: number;
};

/** The end of a running request is unknown. This wait is a typical one. */
export const CONCURRENCY_WAIT_MS = 1_000;

/** Returns the refusal that names the limit that the client has reached. */
export function refusalOfFault(fault: LimitFault, checked: CheckedFigures): Refusal {
  const { code, message } = faults[fault.kind];
  return new Refusal(code, {
    message: message(checked),
    retryAfterMs: fault.waitMs,
    facts: factsOf(fault, checked),
  });
}

function factsOf({ kind, waitMs, used }: LimitFault, checked: CheckedFigures): RefusalFacts {
  const { limit, counts, windowS } = faults[kind];
  const amount = counts && checked[counts];
  return {
    bound: kind,
    limit: limit(checked) ?? null,
    wait_ms: Math.ceil(waitMs),
    ...(used !== undefined && { used }),
    ...(amount !== undefined && { asked: amount }),
    ...(windowS !== undefined && { window_s: windowS }),
  };
}

type FaultWords = {
  code: ErrorCode;
  message: (checked: CheckedFigures) => string;
  limit: (checked: CheckedFigures) => number | null | undefined;
  /** The amount that the limit counts in its window. It is left out for requests at a time. */
  counts?: 'requests' | 'tokens';
  windowS?: number;
};

const faults: Readonly<Record<LimitFaultKind, FaultWords>> = {
  requests: {
    code: 'rate_limit_exceeded',
    limit: ({ figures }) => figures.requestsPerMinute,
    counts: 'requests',
    windowS: 60,
    message: ({ figures }) =>
      `The plan's limit is ${format(figures.requestsPerMinute)} requests in a minute.`,
  },
  'long-requests': {
    code: 'rate_limit_exceeded',
    limit: ({ figures }) => figures.requestsPer5Minutes,
    counts: 'requests',
    windowS: 300,
    message: ({ figures }) =>
      `The plan's limit is ${format(figures.requestsPer5Minutes)} requests in five minutes.`,
  },
  network: {
    code: 'network_rate_limited',
    limit: ({ figures }) => figures.networkRequestsPerMinute,
    counts: 'requests',
    windowS: 60,
    message: ({ figures }) =>
      `The limit for one client network on this plan is ${format(figures.networkRequestsPerMinute)} requests a minute.`,
  },
  tokens: {
    code: 'tokens_per_minute_exceeded',
    limit: ({ figures }) => figures.tokensPerMinute,
    counts: 'tokens',
    windowS: 60,
    message: ({ figures }) => `The plan's limit is ${format(figures.tokensPerMinute)} tokens a minute.`,
  },
  concurrent: {
    code: 'concurrency_limit_exceeded',
    limit: ({ figures }) => figures.concurrent,
    message: ({ figures }) => `The plan's limit is ${format(figures.concurrent)} requests at a time.`,
  },
  reads: {
    code: 'rate_limit_exceeded',
    limit: ({ figures }) => figures.requestsPerMinute * READS_PER_REQUEST,
    counts: 'requests',
    windowS: 60,
    message: ({ figures }) =>
      `The plan's limit is ${format(figures.requestsPerMinute * READS_PER_REQUEST)} reads in a minute: ${READS_PER_REQUEST} for each of its requests.`,
  },
  'key-requests': {
    code: 'rate_limit_exceeded',
    limit: ({ key }) => key?.limits.requestsPerMin,
    counts: 'requests',
    windowS: 60,
    message: ({ key }) => ofKey(`${counted(key?.limits.requestsPerMin, 'request')} a minute`),
  },
  'key-tokens': {
    code: 'tokens_per_minute_exceeded',
    limit: ({ key }) => key?.limits.tokensPerMin,
    counts: 'tokens',
    windowS: 60,
    message: ({ key }) => ofKey(`${counted(key?.limits.tokensPerMin, 'token')} a minute`),
  },
  'key-concurrent': {
    code: 'concurrency_limit_exceeded',
    limit: ({ key }) => key?.limits.concurrent,
    message: ({ key }) => ofKey(`${counted(key?.limits.concurrent, 'request')} at a time`),
  },
};

const ofKey = (bound: string): string => `The limit of this API key is ${bound}.`;

const counted = (count: number | null | undefined, noun: string): string =>
  `${format(count)} ${noun}${count === 1 ? '' : 's'}`;

const format = (count: number | null | undefined): string => (count ?? 0).toLocaleString('en-US');
