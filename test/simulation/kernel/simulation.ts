import { BinaryHeap } from '../../../src/base/lib/testing/binary-heap.ts';
import { Draws } from './draws.ts';
import { Host } from './host.ts';
import { isBefore, type Task } from './task.ts';
import { Trace } from './trace.ts';

/** The longest time that a task computes. */
const MAX_WORK_MS = 0.2;
/** A run that schedules more tasks has not come to its end. */
const MAX_TASKS = 3_000_000;

/** Moments of the program at which a crash is worth trying. */
export const moments = [
  'before a commit',
  'after a commit',
  'log flushed',
  'last bytes',
  'upstream bytes',
] as const;
/** Moments that most runs do not pass. */
export const rareMoments = [
  'answer kept',
  'answer failed',
  'spool flushed',
  'spool wiped',
  'batch canceled',
] as const;
export type RareMoment = (typeof rareMoments)[number];
export type Moment = (typeof moments)[number] | RareMoment;

type SimulationOptions = {
  seed: number;
  /** The wall time at which the run starts, in milliseconds. */
  startsAt: number;
  /** Called with each line of the trace. */
  shows?: ((line: string) => void) | undefined;
};

/**
 * The seeded scheduler. It has the clock, and runs one task after the other with all promises that follow.
 */
export class Simulation {
  readonly seed: number;
  readonly trace: Trace;
  /** Milliseconds since the start. */
  now = 0;
  /** The process whose task runs. */
  host: Host;
  /** The host of clients, upstreams and the driver. It never dies. */
  readonly outside = new Host('outside');
  /** The processes of this run, dead or alive. */
  readonly hosts: Host[] = [];
  readonly failures: string[] = [];
  /** Counts the calls for random bytes. */
  randomFills = 0;
  onMoment: ((moment: Moment, host: Host) => void) | undefined;
  /** The time of day at which the run begins. `now` counts from there. */
  readonly startsAt: number;
  readonly #tasks = new BinaryHeap(isBefore);
  readonly #work: Draws;
  readonly #drawsOf = new Map<string, Draws>();
  #order = 0;
  #ran = 0;

  constructor({ seed, startsAt, shows }: SimulationOptions) {
    this.seed = seed;
    this.startsAt = startsAt;
    this.trace = new Trace(shows);
    this.host = this.outside;
    this.#work = this.draws('work');
  }

  draws(purpose: string): Draws {
    const known = this.#drawsOf.get(purpose) ?? new Draws(this.seed, purpose);
    this.#drawsOf.set(purpose, known);
    return known;
  }

  wallTime(): number {
    return this.startsAt + this.now;
  }

  /** Schedules work of a host, by default of the one whose task runs. */
  after(delayMs: number, what: string, run: () => void, host: Host = this.host): Task {
    const at = this.now + Math.max(0, delayMs);
    const task = { at, order: this.#order++, host, what, run, isCanceled: false };
    this.#tasks.add(task);
    return task;
  }

  /** Resolves after a while, in a task of the host that waits. */
  sleep(delayMs: number, what = 'sleep'): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, what, resolve));
  }

  /** Passes a moment at which a process may die. */
  pass(moment: Moment, host: Host = this.host): void {
    this.onMoment?.(moment, host);
  }

  note(line: string): void {
    this.trace.add(this.now, `${this.host.name} ${line}`);
  }

  fail(failure: string): void {
    if (this.failures.includes(failure)) return;
    this.failures.push(failure);
    this.note(`FAILURE ${failure}`);
  }

  /** Runs tasks until the driver has ended. `settle` resolves when all promises of the task have run. */
  async run<T>(drive: () => Promise<T>, settle: () => Promise<void>): Promise<T> {
    let ended: { value: T } | { error: unknown } | undefined;
    this.host = this.outside;
    drive().then(
      (value) => {
        ended = { value };
      },
      (error: unknown) => {
        ended = { error };
      },
    );
    await settle();
    while (!ended) {
      const task = this.#tasks.take();
      if (!task) throw new Error('the simulation has no more tasks, and its driver waits');
      if (task.isCanceled || !task.host.isAlive) continue;
      if (++this.#ran > MAX_TASKS) throw new Error('the simulation does not end');
      this.now = Math.max(this.now, task.at) + MAX_WORK_MS * this.#work.next();
      this.host = task.host;
      this.note(task.what);
      try {
        task.run();
      } catch (error) {
        this.fail(`${task.host.name}, ${task.what}: ${(error as Error).stack ?? error}`);
      }
      await settle();
    }
    if ('error' in ended) throw ended.error;
    return ended.value;
  }
}
