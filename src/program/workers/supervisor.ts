import type { Logger } from '../../watch/observability/logger.ts';
import { FleetQuestions } from './fleet-questions.ts';
import type { WorkerAssignment } from './worker-assignment.ts';
import type { ToSupervisor } from './worker-message.ts';
import { type WorkerEnd, WorkerProcess } from './worker-process.ts';

/** The delay before a worker is replaced. It doubles each time that the worker ends soon after its start. */
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;
/** A worker that lived longer is replaced after the first delay again. */
const LONG_LIFE_MS = 30_000;

export type SupervisorParts = {
  count: number;
  logger: Pick<Logger, 'info' | 'warn' | 'error' | 'flush'>;
  start?: (assignment: WorkerAssignment, onMessage: (message: ToSupervisor) => void) => WorkerProcess;
};

/** Starts the workers, replaces a dead one and passes signals on. */
export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #workers = new Map<number, WorkerProcess>();
  readonly #questions = new FleetQuestions(() => [...this.#workers.values()]);
  readonly #delays = new Map<number, number>();
  readonly #timers = new Set<Timer>();
  /** The workers that are ready. A SIGHUP would end a process that does not listen for it yet. */
  readonly #ready = new Set<WorkerProcess>();
  /** The workers that reload once they are ready, since they may have read the former configuration. */
  readonly #reloadsLater = new Set<WorkerProcess>();
  #port: number | undefined;
  #isStopping = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
  }

  /**
   * Starts the first worker, and the others once it is ready. Returns its address, or the exit code if it did
   * not start. The worker has then written the reason. A stop ends the start.
   */
  async start(): Promise<{ url: string } | { code: number }> {
    const ready = Promise.withResolvers<{ url: string }>();
    const first = this.#start(1, (message) => {
      if (message.kind === 'ready') ready.resolve({ url: message.url });
    });
    const outcome = await Promise.race([ready.promise, first.ended]);
    if (!('url' in outcome)) return { code: outcome.code ?? 1 };
    this.#keep(first);
    if (this.#isStopping) return outcome;
    for (let number = 2; number <= this.#parts.count; number++) this.#keep(this.#start(number));
    return outcome;
  }

  reload(): void {
    for (const worker of this.#workers.values())
      if (this.#ready.has(worker)) worker.signal('SIGHUP');
      else this.#reloadsLater.add(worker);
  }

  /** Drains all workers and waits for their end. */
  async stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const workers = [...this.#workers.values()];
    for (const worker of workers) worker.signal(signal);
    await Promise.all(workers.map(({ ended }) => ended));
  }

  #start(number: number, onMessage: (message: ToSupervisor) => void = () => {}): WorkerProcess {
    const start = this.#parts.start ?? ((assignment, receive) => new WorkerProcess(assignment, receive));
    const assignment = { number, count: this.#parts.count, port: this.#port };
    const worker = start(assignment, (message) => {
      if (message.kind === 'ready') this.#becameReady(worker, message.port);
      this.#questions.receive(worker, message);
      onMessage(message);
    });
    this.#workers.set(number, worker);
    return worker;
  }

  #becameReady(worker: WorkerProcess, port: number): void {
    this.#port ??= port;
    this.#ready.add(worker);
    if (this.#reloadsLater.delete(worker)) worker.signal('SIGHUP');
  }

  /** Replaces the worker when it ends. */
  #keep(worker: WorkerProcess): void {
    const startedAt = performance.now();
    void worker.ended.then((end) => {
      this.#ready.delete(worker);
      this.#reloadsLater.delete(worker);
      if (this.#workers.get(worker.number) === worker) this.#workers.delete(worker.number);
      if (this.#isStopping) return;
      this.#replace(worker, end, performance.now() - startedAt);
    });
  }

  #replace({ number, pid }: WorkerProcess, { code, signal }: WorkerEnd, livedMs: number): void {
    const lastDelayMs = livedMs > LONG_LIFE_MS ? 0 : (this.#delays.get(number) ?? 0);
    const delayMs = lastDelayMs === 0 ? FIRST_DELAY_MS : Math.min(lastDelayMs * 2, MAX_DELAY_MS);
    this.#delays.set(number, delayMs);
    this.#parts.logger.error('worker-ended', { worker: number, pid, code, signal, restart_in_ms: delayMs });
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const next = this.#start(number);
      this.#parts.logger.info('worker-started', { worker: number, pid: next.pid });
      this.#keep(next);
    }, delayMs);
    this.#timers.add(timer);
  }
}
