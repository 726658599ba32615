import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { DAY_MS } from '../../base/lib/units.ts';
import type { NamedInterval } from '../../watch/traffic/choose-span.ts';
import {
  type TrafficColumn,
  type TrafficPlace,
  trafficColumns,
} from '../../watch/traffic/traffic-figures.ts';
import type { Traffic, TrafficReport } from '../../watch/traffic/traffic-report.ts';

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
