import { Refusal } from '../../base/errors/refusal.ts';
import { isoTime, timeIfGiven } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import type { NamedInterval } from '../../watch/traffic/choose-span.ts';
import { percentilesOf } from '../../watch/traffic/latency-buckets.ts';
import {
  type TrafficColumn,
  type TrafficPlace,
  type TrafficSums,
  trafficColumns,
} from '../../watch/traffic/traffic-figures.ts';
import { OTHER_GROUPS } from '../../watch/traffic/traffic-question.ts';
import type { Traffic, TrafficReport } from '../../watch/traffic/traffic-report.ts';
import type { MemberFigures, OperatorFigures } from './traffic-schema.ts';

/** The name of the group for all groups beyond the largest. */
const ALL_OTHERS = 'all others';

export type TrafficQuery = {
  from?: string | undefined;
  to?: string | undefined;
  interval?: NamedInterval | undefined;
  compare?: 'previous' | undefined;
  group_by?: TrafficColumn | undefined;
} & { [Column in TrafficColumn]?: string | undefined };

/** Reads the traffic that a query asks for, or refuses a span that is not kept. */
export async function readTraffic(report: TrafficReport, query: TrafficQuery): Promise<Traffic> {
  const to = timeIfGiven(query.to) ?? report.now();
  const traffic = await report.read({
    from: timeIfGiven(query.from) ?? to - DAY_MS,
    to,
    interval: query.interval,
    groupBy: query.group_by ?? null,
    where: placeOf(query),
    withPrevious: query.compare === 'previous',
  });
  if ('message' in traffic) throw new Refusal('invalid_request', traffic);
  return traffic;
}

function placeOf(query: TrafficQuery): Partial<TrafficPlace> {
  const place: Partial<TrafficPlace> = {};
  for (const column of trafficColumns) if (query[column] !== undefined) place[column] = query[column];
  return place;
}

/** The choices of an answer: its groups with their names, and the figures that its audience sees. */
type TrafficChoices<Figures> = {
  groupBy: TrafficColumn | null;
  names: ReadonlyMap<string, string>;
  figuresOf(sums: TrafficSums): Figures;
};

/** Shows traffic in the form of both APIs. */
export function trafficView<Figures extends object>(
  traffic: Traffic,
  { groupBy, names, figuresOf }: TrafficChoices<Figures>,
) {
  const { from, to, interval, totals, previous, points, groups } = traffic;
  const nameOf = (group: string) => (group === OTHER_GROUPS ? ALL_OTHERS : (names.get(group) ?? group));
  return {
    object: 'traffic' as const,
    from: isoTime(from),
    to: isoTime(to),
    interval,
    group_by: groupBy,
    totals: figuresOf(totals),
    ...(previous && { previous: figuresOf(previous) }),
    ...(groupBy && {
      groups: groups.map(({ group, sums, previous: before }) => ({
        group,
        group_name: nameOf(group),
        ...figuresOf(sums),
        ...(before && { previous: figuresOf(before) }),
      })),
    }),
    data: points.map(({ start, group, ...sums }) => ({
      start: isoTime(start),
      group,
      group_name: group === null ? null : nameOf(group),
      ...figuresOf(sums),
    })),
  };
}

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
