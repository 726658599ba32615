import { dirname } from 'node:path';
import type { Running, ServeOptions } from '../../../src/program/server/serve.ts';
import type { CrashKind, Disk } from '../disk/disk.ts';
import { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';

/** The entry point of the program, imported after the runtime was replaced. */
export type Program = {
  serve(options: ServeOptions): Promise<Running | { reasons: string[] } | { code: number }>;
};

type GatewayParts = {
  simulation: Simulation;
  program: Program;
  disk: Disk;
  name: string;
  configFile: string;
  port: number;
  environment?: Record<string, string>;
};

type StartOutcome = 'ready' | 'died' | 'failed';

/** Reports whether a line of the log reports a bug. A failing disk or an unavailable database is no bug. */
const isBug = (line: string): boolean =>
  /"event":"(unexpected-failure|sweep-failed)"/.test(line) &&
  !/StoreProblem|"Unavailable: |EIO|ENOSPC/.test(line);

/** A simulated process of the gateway, and its later lives on the same disk. */
export class Gateway {
  readonly log: string[] = [];
  readonly #parts: GatewayParts;
  #host: Host | undefined;
  #running: Running | undefined;
  #died = Promise.withResolvers<void>();
  starts = 0;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  get port(): number {
    return this.#parts.port;
  }

  get host(): Host | undefined {
    return this.#host?.isAlive ? this.#host : undefined;
  }

  get isReady(): boolean {
    return this.host !== undefined && this.#running !== undefined;
  }

  /** Resolves when the present life has ended. */
  get died(): Promise<void> {
    return this.#died.promise;
  }

  get disk(): Disk {
    return this.#parts.disk;
  }

  start(): Promise<StartOutcome> {
    const { simulation, disk, name, program } = this.#parts;
    this.starts++;
    const host = new Host(`${name}/${this.starts}`, disk);
    this.#host = host;
    simulation.hosts.push(host);
    this.#running = undefined;
    this.#died = Promise.withResolvers<void>();
    const { promise, resolve } = Promise.withResolvers<StartOutcome>();
    const report = (outcome: StartOutcome) =>
      simulation.after(0, `start: ${outcome}`, () => resolve(outcome), simulation.outside);
    host.crashListeners.add(() => report('died'));
    const begin = () => {
      program.serve(this.#options()).then(
        (running) => {
          if (!('stop' in running)) return this.#failed(host, JSON.stringify(running), report);
          this.#running = running;
          report('ready');
        },
        (error: Error) => this.#failed(host, String(error?.stack ?? error), report),
      );
    };
    simulation.after(0, 'start', begin, host);
    return promise;
  }

  /** Ends a process that cannot start. */
  #failed(host: Host, why: string, report: (outcome: StartOutcome) => void): void {
    if (!host.isAlive) return;
    this.#parts.simulation.note('the start failed');
    this.log.push(why);
    report('failed');
    this.#bury(host, this.#parts.disk.die('kill'));
  }

  #options(): ServeOptions {
    const { simulation, configFile, disk, port, environment = {} } = this.#parts;
    return {
      origin: {
        file: configFile,
        environment,
        overrides: { port, host: undefined, data: disk.directory, workers: undefined },
      },
      examine: async () => ({ checks: [] }) as never,
      write: (text) => {
        this.log.push(text);
        simulation.note(`logs ${text.trim().replaceAll(dirname(disk.directory), '')}`);
        for (const line of text.split('\n')) if (isBug(line)) simulation.fail(`the log reports ${line}`);
      },
      backlog: () => 0,
      isTerminal: false,
      isStopping: () => false,
    };
  }

  /** Ends the process at once. */
  kill(crash: CrashKind): void {
    const { simulation, disk } = this.#parts;
    const host = this.host;
    if (!host) return;
    simulation.note(`${host.name} dies: ${crash}`);
    this.#bury(host, disk.die(crash));
  }

  #bury(host: Host, left: { install(): void }): void {
    const { simulation } = this.#parts;
    host.isAlive = false;
    host.diedAt = simulation.now;
    for (const report of [...host.crashListeners]) report();
    // The rest of this task must still find the files of the dead process.
    const died = this.#died;
    const close = () => {
      host.closeFiles();
      left.install();
      died.resolve();
    };
    simulation.after(0, 'files are closed', close, simulation.outside);
  }

  /** Stops the process in order. */
  async stop(hasNotice = false): Promise<void> {
    const { simulation } = this.#parts;
    const host = this.host;
    const running = this.#running;
    if (!host || !running) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const over = () => simulation.after(0, 'stopped', () => resolve(), simulation.outside);
    host.crashListeners.add(over);
    this.#running = undefined; // it serves no longer
    const begin = () => {
      running.stop({ hasNotice }).then(over, (error: Error) => {
        simulation.fail(`the stop failed: ${error.stack ?? error}`);
        over();
      });
    };
    simulation.after(0, 'stop', begin, host);
    await promise;
    if (host.isAlive) this.#bury(host, this.#parts.disk.die('kill'));
    await simulation.sleep(1);
  }
}
