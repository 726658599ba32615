import { keysOf, recordOf } from '../../base/lib/records.ts';
import type { ProviderView } from './provider-schema.ts';

type Target = ProviderView['targets'][number];
/** The ranks of states. The worst state has the lowest rank. */
type Ranks<State extends string> = Readonly<Record<State, number>>;

const healthRanks: Ranks<ProviderView['health']> = {
  down: 0,
  faulty: 1,
  degraded: 2,
  drained: 3,
  'not-set-up': 4,
  up: 5,
};
const circuitRanks: Ranks<Target['circuit']> = { open: 0, 'half-open': 1, closed: 2 };

/**
 * Joins the views that several processes have of one provider. There is at least one view. Counts are added.
 * Of health, waits and latencies the worst is shown, because percentiles cannot be added.
 */
export function joinProviderViews(views: readonly ProviderView[]): ProviderView {
  const valuesOf = memberReader(views);
  return {
    ...views[0]!,
    health: worstOf(valuesOf('health'), healthRanks),
    slots_in_use: sumOf(valuesOf('slots_in_use')),
    queue_length: sumOf(valuesOf('queue_length')),
    queue_by_class: joinMembers(valuesOf('queue_by_class'), sumOf),
    queue_wait_ms: joinMembers(valuesOf('queue_wait_ms'), (waits) => joinMembers(waits, highestOf)),
    latency_ms: joinMembers(valuesOf('latency_ms'), highestOf),
    error_rate: errorRateOf(views),
    requests_total: sumOf(valuesOf('requests_total')),
    errors_total: sumOf(valuesOf('errors_total')),
    ...latestError(views),
    key_refused_since: earliestOf(valuesOf('key_refused_since')),
    fault: valuesOf('fault').find((fault) => fault !== null) ?? null,
    last_probe: latestOf(valuesOf('last_probe'), (probe) => probe?.at ?? null),
    targets: joinTargets(valuesOf('targets').flat()),
  };
}

/** Joins the targets with the same model. */
const joinTargets = (targets: readonly Target[]): Target[] =>
  [...Map.groupBy(targets, ({ model }) => model).values()].map(joinTarget);

function joinTarget(targets: readonly Target[]): Target {
  const valuesOf = memberReader(targets);
  return {
    ...targets[0]!,
    circuit: worstOf(valuesOf('circuit'), circuitRanks),
    pause_left_ms: Math.max(...valuesOf('pause_left_ms')),
    in_flight: sumOf(valuesOf('in_flight')),
    error_rate: Math.max(...valuesOf('error_rate')),
    first_byte_ms: joinMembers(valuesOf('first_byte_ms'), highestOf),
  };
}

/** Returns the mean of the processes' error rates, weighted by their requests. */
function errorRateOf(views: readonly ProviderView[]): number {
  const requests = sumOf(views.map((view) => view.requests_total));
  const errors = sumOf(views.map((view) => view.error_rate * view.requests_total));
  return requests === 0 ? 0 : errors / requests;
}

function latestError(views: readonly ProviderView[]): Pick<ProviderView, 'last_error_at' | 'last_error'> {
  const { last_error_at, last_error } = latestOf(views, (view) => view.last_error_at);
  return { last_error_at, last_error };
}

/** Returns a function that lists the values which the items have for a member. */
const memberReader =
  <Item>(items: readonly Item[]) =>
  <Member extends keyof Item>(member: Member): Item[Member][] =>
    items.map((item) => item[member]);

const worstOf = <State extends string>(states: readonly State[], ranks: Ranks<State>): State =>
  states.reduce((worst, state) => (ranks[state] < ranks[worst] ? state : worst));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function highestOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Returns the item with the latest time, or the first item if none has a time. */
const latestOf = <Item>(items: readonly Item[], timeOf: (item: Item) => string | null): Item =>
  items.reduce((latest, item) => ((timeOf(item) ?? '') > (timeOf(latest) ?? '') ? item : latest));

const earliestOf = (times: readonly (string | null)[]): string | null =>
  times.filter((time) => time !== null).sort()[0] ?? null;

/** Joins the values that the records have for each name. All records have the names of the first one. */
const joinMembers = <Name extends string, Value, Joined>(
  records: readonly Readonly<Record<Name, Value>>[],
  join: (values: Value[]) => Joined,
): Record<Name, Joined> =>
  recordOf(keysOf(records[0]!), (name) => join(records.map((record) => record[name])));
