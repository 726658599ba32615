import type { Environment } from '../../base/lib/environment.ts';

/** The variable by which the supervisor gives a process its number, for example `2/4`. */
export const WORKER_VARIABLE = 'TOLLGATE_WORKER';
/** The variable with the port that the first process has bound. */
export const WORKER_PORT_VARIABLE = 'TOLLGATE_WORKER_PORT';

/**
 * The number that the supervisor gave a process among those that share a port. `port`: the port that the
 * first process has bound.
 */
export type WorkerAssignment = { number: number; count: number; port: number | undefined };

/** Returns undefined if the process is not a worker. */
export function readWorkerAssignment(environment: Environment): WorkerAssignment | undefined {
  const [number, count] = (environment[WORKER_VARIABLE] ?? '').split('/').map(Number);
  if (!number || !count) return undefined;
  const port = environment[WORKER_PORT_VARIABLE];
  return { number, count, port: port === undefined ? undefined : Number(port) };
}
