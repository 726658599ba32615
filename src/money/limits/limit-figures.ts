import type { PlanFigures } from '../../settings/plans/plan.ts';

/** The figures of a plan that limit rates, concurrency and stored bytes. */
export type LimitFigures = Pick<
  PlanFigures,
  | 'requestsPerMinute'
  | 'requestsPer5Minutes'
  | 'concurrent'
  | 'tokensPerMinute'
  | 'networkRequestsPerMinute'
  | 'storedMb'
>;

/**
 * The limits of pay-as-you-go on a subscription: the higher of both plans' limits.
 * If either plan has no limit, neither applies.
 */
export const higherOf = (one: LimitFigures, other: LimitFigures): LimitFigures => ({
  requestsPerMinute: Math.max(one.requestsPerMinute, other.requestsPerMinute),
  requestsPer5Minutes: highest(one.requestsPer5Minutes, other.requestsPer5Minutes),
  concurrent: Math.max(one.concurrent, other.concurrent),
  tokensPerMinute: Math.max(one.tokensPerMinute, other.tokensPerMinute),
  networkRequestsPerMinute: highest(one.networkRequestsPerMinute, other.networkRequestsPerMinute),
  storedMb: highest(one.storedMb, other.storedMb),
});

const highest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : Math.max(one, other);
