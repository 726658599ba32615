import { stage } from './stage.ts';
import type { Task } from './task.ts';

/** Timers fire late by up to this much, as they do on a machine that has other work. */
const MAX_LATE_MS = 1;

type Callback = (...values: unknown[]) => void;

/** A timer of the simulated clock. */
class SimulatedTimer {
  #task: Task | undefined;
  readonly #again: () => void;

  constructor(delayMs: number, call: () => void, { isRepeated = false } = {}) {
    const { simulation } = stage;
    const { host } = simulation;
    const random = simulation.draws('timers');
    const fire = () => {
      if (isRepeated) this.#again();
      else this.#task = undefined;
      call();
    };
    this.#again = () => {
      const delay = Math.max(1, Number.isFinite(delayMs) ? delayMs : 1);
      this.#task = simulation.after(delay + MAX_LATE_MS * random.next(), 'timer', fire, host);
    };
    this.#again();
  }

  cancel(): void {
    if (this.#task) this.#task.isCanceled = true;
    this.#task = undefined;
  }

  refresh(): this {
    this.cancel();
    this.#again();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return false;
  }

  close(): this {
    this.cancel();
    return this;
  }

  [Symbol.toPrimitive](): number {
    return 0;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

const clear = (timer: unknown): void => {
  if (timer instanceof SimulatedTimer) timer.cancel();
};

/** The functions of the runtime that wait, with the simulated clock. */
export const timers = {
  setTimeout: (call: Callback, delayMs = 0, ...values: unknown[]) =>
    new SimulatedTimer(delayMs, () => call(...values)),
  setInterval: (call: Callback, delayMs = 0, ...values: unknown[]) =>
    new SimulatedTimer(delayMs, () => call(...values), { isRepeated: true }),
  setImmediate: (call: Callback, ...values: unknown[]) => {
    const task = stage.simulation.after(0, 'immediate', () => call(...values));
    return {
      task,
      ref() {},
      unref() {},
      hasRef: () => true,
      [Symbol.dispose]() {
        task.isCanceled = true;
      },
    };
  },
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: (immediate: { task?: Task } | undefined) => {
    if (immediate?.task) immediate.task.isCanceled = true;
  },
};
