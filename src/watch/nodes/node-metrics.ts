import type { Metric } from '../observability/metric.ts';
import { ReadMetric } from '../observability/read-metric.ts';
import type { NodeRecord } from './node-record.ts';

/** Returns the metrics of the nodes, as of the latest look. */
export function nodeMetrics(latest: () => { nodes: readonly NodeRecord[]; configHash: string }): Metric[] {
  return [
    new ReadMetric(
      {
        name: 'tollgate_nodes',
        help: 'Nodes that serve, by whether their configuration is that of this node.',
        labels: ['configuration'],
      },
      () => {
        const { nodes, configHash } = latest();
        const open = nodes.filter(({ closedAt }) => closedAt === null);
        const same = open.filter((node) => node.configHash === configHash).length;
        return [
          [['same'], same],
          [['different'], open.length - same],
        ];
      },
    ),
  ];
}
