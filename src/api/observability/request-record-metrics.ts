import { type Metric, single } from './metrics.ts';

/** The metric of the requests' records. */
export const requestRecordMetrics = (dropped: () => number): Metric[] => [
  single(
    {
      name: 'tollgate_request_records_dropped_total',
      help: 'Records of requests that were not kept, because the process was overloaded or the store slow.',
    },
    dropped,
    'counter',
  ),
];
