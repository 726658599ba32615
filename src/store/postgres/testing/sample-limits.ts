import type { LimitFigures } from '../../../money/limits/limit-figures.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';

/** Returns limits that no test reaches, except those given. */
export const sampleFigures = (fields: Partial<LimitFigures> = {}): LimitFigures => ({
  requestsPerMinute: 1e9,
  requestsPer5Minutes: null,
  concurrent: 1e9,
  tokensPerMinute: 1e9,
  networkRequestsPerMinute: null,
  storedMb: null,
  ...fields,
});

/** Returns a request that counts against the concurrency limit, with 10 tokens. */
export const sampleLimits = (accountId: string, fields: Partial<LimitedRequest> = {}): LimitedRequest => ({
  accountId,
  figures: sampleFigures(),
  network: undefined,
  requests: 1,
  tokens: 10,
  isConcurrent: true,
  ...fields,
});
