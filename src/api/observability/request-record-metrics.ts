import { type Metric, single } from './metrics.ts';

/** The metrics of the requests' records. */
export const requestRecordMetrics = (dropped: () => number, lostSums: () => number): Metric[] => [
  single(
    {
      name: 'tollgate_request_records_dropped_total',
      help: 'Records of requests that were not kept, because the process was overloaded or the store slow.',
    },
    dropped,
    'counter',
  ),
  single(
    {
      name: 'tollgate_request_sums_lost_total',
      help: 'Hourly sums of errors and end users that could not be written.',
    },
    lostSums,
    'counter',
  ),
];
