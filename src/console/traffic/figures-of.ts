import { usdOf } from '../../money/ledger/microcredits.ts';
import { percentilesOf } from '../../watch/traffic/latency-buckets.ts';
import type { TrafficSums } from '../../watch/traffic/traffic-figures.ts';
import type { MemberFigures, OperatorFigures } from './traffic-schema.ts';

/** Shows the figures that members of an organization see. */
export function memberFiguresOf({ counts, latency, firstToken }: TrafficSums): MemberFigures {
  const { requests, errors, refused, input_tokens, cached_input_tokens, output_tokens, revenue } = counts;
  return {
    requests,
    errors,
    refused,
    input_tokens,
    cached_input_tokens,
    output_tokens,
    cache_share: input_tokens === 0 ? null : cached_input_tokens / input_tokens,
    latency_ms: percentilesOf(latency),
    first_token_ms: percentilesOf(firstToken),
    revenue_usd: usdOf(revenue),
  };
}

/** Shows the figures that operators see. */
export function operatorFiguresOf(sums: TrafficSums): OperatorFigures {
  const { attempts, failed_attempts, spend, revenue } = sums.counts;
  return {
    ...memberFiguresOf(sums),
    attempts,
    failed_attempts,
    spend_usd: usdOf(spend),
    margin_usd: usdOf(revenue - spend),
  };
}
