import type { LoadResult } from '../run-load.ts';

/** The store of a measured gateway. A number is the number of its workers. */
export type StoreName = 'embedded' | 'postgres' | `postgres-${number}`;

/** A load on one of the gateways. Times are in microseconds for each request. */
export type StoreMeasurement = Pick<LoadResult, 'requests' | 'p50Us' | 'p99Us'> & {
  round: number;
  connections: number;
  store: StoreName;
  failures: number;
  nodeCpuUs: number;
  /** The sum over all processes of the server. It is zero on the embedded store. */
  databaseCpuUs: number;
  /** The bytes of write-ahead log for each request. */
  logBytes: number;
  /** Requests for each commit: a request commits twice if nothing is grouped. */
  requestsPerCommit: number;
};
