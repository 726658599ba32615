import { type ChildProcess, spawn } from 'node:child_process';
import { WORKER_PORT_VARIABLE, WORKER_VARIABLE, type WorkerAssignment } from './worker-assignment.ts';
import type { ToSupervisor, ToWorker } from './worker-message.ts';

export type WorkerEnd = { code: number | null; signal: NodeJS.Signals | null };

/** A process that serves on the shared port. */
export class WorkerProcess {
  readonly number: number;
  readonly #child: ChildProcess;
  readonly ended: Promise<WorkerEnd>;

  constructor(assignment: WorkerAssignment, onMessage: (message: ToSupervisor) => void) {
    this.number = assignment.number;
    this.#child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
      env: {
        ...process.env,
        [WORKER_VARIABLE]: `${assignment.number}/${assignment.count}`,
        ...(assignment.port !== undefined && { [WORKER_PORT_VARIABLE]: String(assignment.port) }),
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // A group of its own: the terminal's interrupt reaches the supervisor alone, which passes it on.
      detached: true,
    });
    // A worker, of the same version, sends nothing else.
    this.#child.on('message', (message) => onMessage(message as ToSupervisor));
    const { promise, resolve } = Promise.withResolvers<WorkerEnd>();
    this.ended = promise;
    this.#child.once('exit', (code, signal) => resolve({ code, signal }));
    this.#child.once('error', () => resolve({ code: 1, signal: null }));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** A message to a worker that is ending is lost. */
  send(message: ToWorker): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}
