import type { LoadResult } from '../run-load.ts';

export type StoreName = 'embedded' | 'postgres';

/** A load on one of the two gateways. Times are in microseconds for each request. */
export type StoreMeasurement = Pick<LoadResult, 'requests' | 'p50Us' | 'p99Us'> & {
  round: number;
  connections: number;
  store: StoreName;
  failures: number;
  nodeCpuUs: number;
  /** Of all processes of the server. Zero on the embedded store. */
  databaseCpuUs: number;
  /** The bytes of write-ahead log for each request. */
  logBytes: number;
  /** Requests for each commit: a request commits twice if nothing is grouped. */
  requestsPerCommit: number;
};
