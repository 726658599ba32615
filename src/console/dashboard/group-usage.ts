import type { UsageCell } from './read-usage.ts';
import { addFigures, figureNames, metricOf, noFigures } from './usage-figures.ts';
import type { UsageGroup, UsageReport } from './usage-schema.ts';
import type { UsageSpan } from './usage-span.ts';

/** Returns the groups with any figure, the largest by the metric first. */
export function groupUsage(cells: readonly UsageCell[], { from, to, metric }: UsageSpan): UsageGroup[] {
  const groups = new Map<string, UsageGroup>();
  const value = metricOf[metric];
  for (const cell of cells) {
    let group = groups.get(cell.group);
    if (!group) {
      group = { id: cell.group, ...noFigures(), values: new Array<number>(to - from).fill(0) };
      groups.set(cell.group, group);
    }
    addFigures(group, cell);
    group.values[cell.at - from]! += value(cell);
  }
  return [...groups.values()]
    .filter((group) => figureNames.some((figure) => group[figure] > 0))
    .sort(
      (one, other) =>
        value(other) - value(one) || other.requests - one.requests || (one.id < other.id ? -1 : 1),
    );
}

/** Returns the sums of several groups. `null` means that there are none. */
export function sumGroups(groups: readonly UsageGroup[], length: number): UsageReport['rest'] {
  if (groups.length === 0) return null;
  const figures = noFigures();
  const values = new Array<number>(length).fill(0);
  for (const group of groups) {
    addFigures(figures, group);
    for (const [index, value] of group.values.entries()) values[index]! += value;
  }
  return { groups: groups.length, ...figures, values };
}
