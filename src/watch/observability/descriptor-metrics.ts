import type { Descriptors } from '../../upstream/capacity/descriptors.ts';
import type { Metric } from './metric.ts';
import { ReadMetric, single } from './read-metric.ts';

export type DescriptorSources = {
  descriptors: Pick<Descriptors, 'limit' | 'inUse'>;
  /** The calls that failed because a resource of this machine was exhausted, by resource. */
  resources: { readonly counts: Readonly<Record<string, { failures: number }>> };
};

/** The metrics of file descriptors and other resources of this machine. */
export const descriptorMetrics = ({ descriptors, resources }: DescriptorSources): Metric[] => [
  single({ name: 'process_open_fds', help: 'Open file descriptors.' }, () => descriptors.inUse()),
  single({ name: 'process_max_fds', help: 'Maximum number of open file descriptors.' }, () =>
    Number.isFinite(descriptors.limit) ? descriptors.limit : undefined,
  ),
  new ReadMetric(
    {
      name: 'tollgate_local_exhaustion_total',
      help: 'Calls to providers that failed because this machine ran out of a resource.',
      labels: ['resource'],
    },
    () => Object.entries(resources.counts).map(([resource, { failures }]) => [[resource], failures] as const),
    'counter',
  ),
];
