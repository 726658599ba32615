import type { FleetTopic, WorkerAnswer } from '../../watch/observability/fleet.ts';

/** The messages of a worker to its supervisor. */
export type ToSupervisor =
  | { kind: 'ready'; url: string; port: number }
  | { kind: 'ask'; id: number; topic: FleetTopic; detail: string }
  | { kind: 'answer'; id: number; answer: string };

/** The messages of the supervisor to a worker. */
export type ToWorker =
  | { kind: 'question'; id: number; topic: FleetTopic; detail: string }
  | { kind: 'answers'; id: number; answers: readonly WorkerAnswer[] };
