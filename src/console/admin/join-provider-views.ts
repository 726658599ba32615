import { keysOf, recordOf } from '../../base/lib/records.ts';
import type { ProviderView } from './provider-view.ts';

/** The rank of each state. The worst one is shown. */
const healthRanks: Readonly<Record<ProviderView['health'], number>> = {
  down: 0,
  faulty: 1,
  degraded: 2,
  drained: 3,
  'not-set-up': 4,
  up: 5,
};
const circuitRanks: Readonly<Record<Target['circuit'], number>> = { open: 0, 'half-open': 1, closed: 2 };

/**
 * Joins the views that several processes have of one provider. Counts are added. Of health, waits and
 * latencies the worst is shown, because percentiles cannot be added.
 */
export function joinProviderViews(views: readonly ProviderView[]): ProviderView {
  const first = views[0]!;
  const all = <M extends keyof ProviderView>(member: M): ProviderView[M][] =>
    views.map((view) => view[member]);
  const sum = (read: (view: ProviderView) => number) => views.reduce((total, view) => total + read(view), 0);
  const requests = sum((view) => view.requests_total);
  return {
    ...first,
    health: worst(all('health'), healthRanks),
    slots_in_use: sum((view) => view.slots_in_use),
    queue_length: sum((view) => view.queue_length),
    queue_by_class: byMember(all('queue_by_class'), added),
    queue_wait_ms: byMember(all('queue_wait_ms'), (waits) => byMember(waits, highest)),
    latency_ms: byMember(all('latency_ms'), highest),
    error_rate: requests === 0 ? first.error_rate : weighted(views, requests),
    requests_total: requests,
    errors_total: sum((view) => view.errors_total),
    ...latestError(views),
    key_refused_since:
      all('key_refused_since')
        .filter((since) => since !== null)
        .sort()[0] ?? null,
    fault: all('fault').find((fault) => fault !== null) ?? null,
    last_probe:
      latest(
        all('last_probe').flatMap((probe) => probe ?? []),
        ({ at }) => at,
      ) ?? first.last_probe,
    targets: joinTargets(views.flatMap(({ targets }) => targets)),
  };
}

type Target = ProviderView['targets'][number];

function joinTargets(all: readonly Target[]): Target[] {
  const byModel = Map.groupBy(all, ({ model }) => model);
  return [...byModel.values()].map(joinTarget);
}

function joinTarget(targets: readonly Target[]): Target {
  const all = <M extends keyof Target>(member: M): Target[M][] => targets.map((target) => target[member]);
  return {
    ...targets[0]!,
    circuit: worst(all('circuit'), circuitRanks),
    pause_left_ms: Math.max(...all('pause_left_ms')),
    in_flight: added(all('in_flight')),
    error_rate: Math.max(...all('error_rate')),
    first_byte_ms: byMember(all('first_byte_ms'), highest),
  };
}

const worst = <T extends string>(states: readonly T[], ranks: Readonly<Record<T, number>>): T =>
  states.toSorted((one, other) => ranks[one] - ranks[other])[0]!;

const added = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce((high, value) => (high === null || (value !== null && value > high) ? value : high), null);

const latest = <T>(items: readonly T[], at: (item: T) => string | null): T | undefined =>
  items.toSorted((one, other) => (at(other) ?? '').localeCompare(at(one) ?? ''))[0];

const latestError = (views: readonly ProviderView[]) => {
  const { last_error_at, last_error } = latest(views, (view) => view.last_error_at)!;
  return { last_error_at, last_error };
};

/** The mean of the rates, weighted by the processes' requests. */
const weighted = (views: readonly ProviderView[], requests: number): number =>
  added(views.map((view) => view.error_rate * view.requests_total)) / requests;

function byMember<K extends string, T, U>(
  records: readonly Readonly<Record<K, T>>[],
  join: (values: T[]) => U,
): Record<K, U> {
  return recordOf(keysOf(records[0]!), (name) => join(records.map((each) => each[name])));
}
