import { isoTime } from '../../base/lib/iso-time.ts';
import type { TrafficColumn, TrafficSums } from '../../watch/traffic/traffic-figures.ts';
import { OTHER_GROUPS } from '../../watch/traffic/traffic-question.ts';
import type { Traffic } from '../../watch/traffic/traffic-report.ts';

/** The name of the group for all groups beyond the largest. */
const ALL_OTHERS = 'all others';

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
