import { closeSync, openSync } from 'node:fs';
import { listDescendants, listProcessTree } from './process-usage.ts';

type ChildSettings = {
  command: string[];
  logFile: string;
  environment?: Record<string, string>;
  /** The working directory, by default the benchmark's own. */
  directory?: string;
};

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;

/** Starts the processes of the benchmark and ends them by their ids. */
export class ChildProcesses {
  readonly #children: Bun.Subprocess[] = [];
  readonly #prefix: readonly string[];

  /** The processes run only on these cores, such as `0,2`. By default they run on all cores. */
  constructor(cores?: string) {
    this.#prefix = cores === undefined ? [] : ['taskset', '-c', cores];
  }

  start({ command, logFile, environment = {}, directory }: ChildSettings): Bun.Subprocess {
    const log = openSync(logFile, 'a');
    const child = Bun.spawn([...this.#prefix, ...command], {
      ...(directory !== undefined && { cwd: directory }),
      stdin: 'ignore',
      stdout: log,
      stderr: log,
      env: { ...process.env, ...environment },
    });
    closeSync(log);
    this.#children.push(child);
    return child;
  }

  /** Sends SIGTERM, then kills the remaining processes and their descendants. */
  async stopAll(): Promise<void> {
    const running = this.#children.filter((child) => child.exitCode === null);
    const descendants = running.flatMap((child) => listDescendants(child.pid));
    for (const child of running) child.kill('SIGTERM');
    await Promise.race([Promise.all(running.map((child) => child.exited)), Bun.sleep(GRACE_MS)]);
    for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
    for (const pid of descendants) killIfPresent(pid);
    await Promise.all(running.map((child) => child.exited));
  }

  /** Kills all processes without waiting, for a signal handler. */
  killAll(): void {
    const running = this.#children.filter((child) => child.exitCode === null);
    for (const pid of running.flatMap((child) => listProcessTree(child.pid))) killIfPresent(pid);
  }
}

function killIfPresent(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
