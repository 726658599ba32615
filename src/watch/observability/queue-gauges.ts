import type { Provider } from '../../settings/hosts/providers.ts';
import type { Capacity } from '../../upstream/capacity/capacity.ts';
import type { OverloadLevel } from '../../upstream/capacity/overload-level.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import type { Metric } from './metric.ts';
import { ReadMetric, single } from './read-metric.ts';

export type QueueSources = {
  capacity: Capacity<Provider>;
  overload: { readonly level: OverloadLevel };
  activity: { readonly refusedKeys: number };
};

/** Returns the metrics of the queue for capacity, and of what keeps requests in it. */
export const queueGauges = ({ capacity, overload, activity }: QueueSources): Metric[] => [
  single(
    { name: 'tollgate_refused_provider_keys', help: 'Providers that refuse their API key.' },
    () => activity.refusedKeys,
  ),
  new ReadMetric(
    { name: 'tollgate_queue_length', help: 'Requests queued for capacity.', labels: ['class'] },
    () => planClasses.map((planClass) => [[planClass], capacity.waiting(planClass)] as const),
  ),
  new ReadMetric(
    {
      name: 'tollgate_queue_oldest_seconds',
      help: 'Time that the oldest queued request has waited.',
      labels: ['class'],
    },
    () => planClasses.map((planClass) => [[planClass], capacity.oldestWaitMs(planClass) / 1_000] as const),
  ),
  new ReadMetric(
    {
      name: 'tollgate_overload',
      help: 'The label is the current overload level. The value is 1, or 0 without overload.',
      labels: ['level'],
    },
    () => [[[overload.level], overload.level === 'none' ? 0 : 1]],
  ),
];
