import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import { READS_PER_REQUEST } from '../../settings/plans/plan.ts';
import type { KeyLimits } from '../accounts/api-key.ts';
import type { LimitFault, LimitFaultKind } from './limit-fault.ts';
import type { LimitFigures } from './limit-figures.ts';

/** A request, and the figures that it was checked against. */
export type CheckedRequest = {
  figures: LimitFigures;
  key?: { limits: KeyLimits } | undefined;
  /** The amount that the request would have taken. */
  requests?: number;
  tokens?: number;
};

/** One limit, and what a refusal says about it. */
type LimitWords = {
  code: ErrorCode;
  limitIn: (checked: CheckedRequest) => number | null | undefined;
  /** Returns the message, which names the limit. */
  message: (limit: number) => string;
  /** The amount that the limit counts in its window. Undefined for requests at a time. */
  counts?: 'requests' | 'tokens';
  windowSeconds?: number;
};

const ofPlan = (unit: string) => (limit: number) => `The plan's limit is ${format(limit)} ${unit}.`;

const ofNetwork = (limit: number): string =>
  `The limit for one client network on this plan is ${format(limit)} requests a minute.`;

const ofKey = (noun: string, span: string) => (limit: number) =>
  `The limit of this API key is ${format(limit)} ${noun}${limit === 1 ? '' : 's'} ${span}.`;

const format = (count: number): string => count.toLocaleString('en-US');

const faults: Readonly<Record<LimitFaultKind, LimitWords>> = {
  requests: {
    code: 'rate_limit_exceeded',
    limitIn: ({ figures }) => figures.requestsPerMinute,
    message: ofPlan('requests in a minute'),
    counts: 'requests',
    windowSeconds: 60,
  },
  'long-requests': {
    code: 'rate_limit_exceeded',
    limitIn: ({ figures }) => figures.requestsPer5Minutes,
    message: ofPlan('requests in five minutes'),
    counts: 'requests',
    windowSeconds: 300,
  },
  network: {
    code: 'network_rate_limited',
    limitIn: ({ figures }) => figures.networkRequestsPerMinute,
    message: ofNetwork,
    counts: 'requests',
    windowSeconds: 60,
  },
  tokens: {
    code: 'tokens_per_minute_exceeded',
    limitIn: ({ figures }) => figures.tokensPerMinute,
    message: ofPlan('tokens a minute'),
    counts: 'tokens',
    windowSeconds: 60,
  },
  concurrent: {
    code: 'concurrency_limit_exceeded',
    limitIn: ({ figures }) => figures.concurrent,
    message: ofPlan('requests at a time'),
  },
  reads: {
    code: 'rate_limit_exceeded',
    limitIn: ({ figures }) => figures.requestsPerMinute * READS_PER_REQUEST,
    message: ofPlan(`reads in a minute: ${READS_PER_REQUEST} for each of its requests`),
    counts: 'requests',
    windowSeconds: 60,
  },
  'key-requests': {
    code: 'rate_limit_exceeded',
    limitIn: ({ key }) => key?.limits.requestsPerMin,
    message: ofKey('request', 'a minute'),
    counts: 'requests',
    windowSeconds: 60,
  },
  'key-tokens': {
    code: 'tokens_per_minute_exceeded',
    limitIn: ({ key }) => key?.limits.tokensPerMin,
    message: ofKey('token', 'a minute'),
    counts: 'tokens',
    windowSeconds: 60,
  },
  'key-concurrent': {
    code: 'concurrency_limit_exceeded',
    limitIn: ({ key }) => key?.limits.concurrent,
    message: ofKey('request', 'at a time'),
  },
};

/** Returns the refusal that names the limit that the client has reached. */
export function refusalOfFault(fault: LimitFault, checked: CheckedRequest): Refusal {
  const { code, message, limitIn } = faults[fault.kind];
  const limit = limitIn(checked) ?? null;
  return new Refusal(code, {
    message: message(limit ?? 0),
    retryAfterMs: fault.waitMs,
    facts: factsOf(fault, checked, limit),
  });
}

function factsOf(
  { kind, waitMs, used }: LimitFault,
  checked: CheckedRequest,
  limit: number | null,
): RefusalFacts {
  const { counts, windowSeconds } = faults[kind];
  const amount = counts && checked[counts];
  return {
    bound: kind,
    limit,
    wait_ms: Math.ceil(waitMs),
    ...(used !== undefined && { used }),
    ...(amount !== undefined && { asked: amount }),
    ...(windowSeconds !== undefined && { window_s: windowSeconds }),
  };
}
