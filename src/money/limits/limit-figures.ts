import type { PlanFigures } from '../../settings/plans/plan.ts';

/** The figures of a plan that bound how much at a time, and how much is stored. */
export type LimitFigures = Pick<
  PlanFigures,
  | 'requestsPerMinute'
  | 'requestsPer5Minutes'
  | 'concurrent'
  | 'tokensPerMinute'
  | 'networkRequestsPerMinute'
  | 'storedMb'
>;

/** Who pays as they go beside a subscription has the higher of both plans' limits; a limit that one of them has not, neither has. */
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
