import type { Settle } from '../settlement/billable-answer.ts';
import type { CacheShares } from '../settlement/cache-shares.ts';
import { type Estimating, scopeOf } from './estimate-of.ts';
import type { QualifiedRequest } from './qualified-request.ts';

/** Records how much of the prompt came from a cache, to estimate answers without a usage report. */
export const notingCache =
  (settle: Settle, qualified: QualifiedRequest, shares: CacheShares): Settle =>
  (answered) => {
    const { usage } = answered;
    if (usage && !usage.isEstimated && (usage.input.cacheRead || !shares.isEmpty))
      shares.note(scopeOf(scopeIn(qualified), qualified.request), usage);
    return settle(answered);
  };

export const scopeIn = ({ principal, permit }: QualifiedRequest): Estimating['scope'] => ({
  keyId: principal.apiKey.id,
  model: permit.entry.model.id,
});
