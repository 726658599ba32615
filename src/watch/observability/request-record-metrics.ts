import type { Metric } from './metric.ts';
import { single } from './read-metric.ts';

/** The counts of what was not kept of requests. */
type RecordLosses = { dropped(): number; lostSums(): number; droppedContents(): number };

/** The metrics of the requests' records. */
export const requestRecordMetrics = ({ dropped, lostSums, droppedContents }: RecordLosses): Metric[] => [
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
  single(
    {
      name: 'tollgate_request_contents_dropped_total',
      help: 'Contents of requests that payload logging did not keep, because too many waited or the store failed.',
    },
    droppedContents,
    'counter',
  ),
];
