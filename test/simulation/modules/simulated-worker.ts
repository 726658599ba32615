import type { Host } from '../kernel/host.ts';
import type { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { Database } from './sqlite.ts';

type Message = { data: unknown };
type Scope = { onmessage?: (message: Message) => unknown; postMessage(reply: unknown): void };

/** The programs of threads, by file name. A thread answers each message before the next task runs. */
const scopes = new Map<string, Scope & { reply: (value: unknown) => void }>();

/** Returns the global object of a thread's program. `load-sources.ts` gives it to the program as `self`. */
export function threadScope(name: string): Scope {
  const scope = { reply: (_value: unknown) => {}, postMessage: (value: unknown) => scope.reply(value) };
  scopes.set(name, scope);
  return scope;
}

const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1).replace(/\.ts.*$/, '');

/** The longest that a thread takes for one message. */
const MAX_MS = 20;

/** A thread of the simulated process. Its messages take random times and keep their order. */
export class SimulatedWorker {
  onmessage: ((message: Message) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  readonly #simulation: Simulation;
  readonly #host: Host;
  readonly #url: string;
  #isOver = false;
  #busyUntil = 0;
  #moved: Database | undefined;

  constructor(url: string | URL) {
    this.#simulation = stage.simulation;
    this.#host = this.#simulation.host;
    this.#url = String(url);
  }

  postMessage(data: unknown): void {
    const copy = structuredClone(data);
    const simulation = this.#simulation;
    this.#busyUntil =
      Math.max(this.#busyUntil, simulation.now) + simulation.draws('threads').skewed(0.1, MAX_MS);
    const answer = () => void (this.#isOver || this.#answer(copy));
    simulation.after(this.#busyUntil - simulation.now, `thread ${nameOf(this.#url)}`, answer, this.#host);
  }

  #answer(data: unknown): void {
    const reply = (value: unknown) => {
      const copy = structuredClone(value);
      this.#simulation.after(
        0.05,
        'thread replies',
        () => void (this.#isOver || this.onmessage?.({ data: copy })),
        this.#host,
      );
    };
    const name = nameOf(this.#url);
    if (name === 'move-log-in-thread') {
      reply(this.#moveLog(data as { path: string } | 'end'));
      return;
    }
    const scope = scopes.get(name);
    if (!scope) throw new Error(`the thread ${name} is not loaded`);
    scope.reply = reply;
    scope.onmessage?.({ data });
  }

  /** Moves the log into the database. Each thread needs a separate connection, which it keeps open. */
  #moveLog(command: { path: string } | 'end'): unknown {
    if (command === 'end') return this.#moved?.close();
    this.#moved ??= new Database(command.path, { readwrite: true });
    const moved = this.#moved.query('PRAGMA wal_checkpoint(PASSIVE)').get();
    // SQLite has flushed the log and the database.
    this.#host.disk?.beginFlush(`${command.path}-wal`)();
    return moved;
  }

  addEventListener(): void {}

  terminate(): void {
    this.#isOver = true;
  }

  ref(): void {}

  unref(): void {}
}
