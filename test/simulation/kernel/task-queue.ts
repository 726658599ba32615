import type { Host } from './host.ts';

/** Work that a host does at a time of the simulated clock. */
export type Task = {
  at: number;
  order: number;
  host: Host;
  what: string;
  run: () => void;
  isCanceled: boolean;
};

const isBefore = (one: Task, other: Task): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap of tasks. Tasks of one time keep the order in which they were added. */
export class TaskQueue {
  readonly #tasks: Task[] = [];

  add(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.push(task) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(task, tasks[parent]!)) break;
      tasks[at] = tasks[parent]!;
      at = parent;
    }
    tasks[at] = task;
  }

  take(): Task | undefined {
    const tasks = this.#tasks;
    const first = tasks[0];
    const last = tasks.pop();
    if (first === undefined || last === first || last === undefined) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= tasks.length) break;
      if (child + 1 < tasks.length && isBefore(tasks[child + 1]!, tasks[child]!)) child++;
      if (!isBefore(tasks[child]!, last)) break;
      tasks[at] = tasks[child]!;
      at = child;
    }
    tasks[at] = last;
    return first;
  }
}
