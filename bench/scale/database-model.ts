import type { EventQueue } from './event-queue.ts';
import type { ServiceTimes } from './service-times.ts';

export type StatementKind = 'gate' | 'settle';
type Statement = { kind: StatementKind; accounts: readonly number[]; done: () => void };

/** The work of a database in a simulation. */
export type DatabaseWork = {
  /** The time of all cores. */
  busyMs: number;
  /** The time in which a settlement of the busiest account holds its lock. */
  busiestAccountMs: number;
  logBytes: number;
  statements: number;
  /** The requests that were settled. */
  requests: number;
};

export const BUSIEST_ACCOUNT = 0;

/**
 * One Postgres primary: some cores, one log that is flushed for many commits at once, and a lock for each
 * account.
 */
export class DatabaseModel {
  readonly #events: EventQueue;
  readonly #times: ServiceTimes;
  readonly #cores: number;
  readonly #queue: Statement[] = [];
  readonly #locked: Readonly<Record<StatementKind, Set<number>>> = { gate: new Set(), settle: new Set() };
  readonly #work: DatabaseWork = { busyMs: 0, busiestAccountMs: 0, logBytes: 0, statements: 0, requests: 0 };
  #busyCores = 0;
  #isFlushing = false;
  #committing: (() => void)[] = [];

  constructor(events: EventQueue, times: ServiceTimes, cores: number) {
    this.#events = events;
    this.#times = times;
    this.#cores = cores;
  }

  get work(): Readonly<DatabaseWork> {
    return this.#work;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  run(statement: Statement): void {
    this.#queue.push(statement);
    this.#startWaiting();
  }

  /** Starts the oldest statements whose accounts are not locked. */
  #startWaiting(): void {
    for (let place = 0; place < this.#queue.length && this.#busyCores < this.#cores; ) {
      const statement = this.#queue[place]!;
      if (this.#isLocked(statement)) place += 1;
      else {
        this.#queue.splice(place, 1);
        this.#execute(statement);
      }
    }
  }

  #isLocked({ kind, accounts }: Statement): boolean {
    return accounts.some((account) => this.#locked[kind].has(account));
  }

  #execute(statement: Statement): void {
    const { kind, accounts } = statement;
    const { fixedMs, eachMs } = this.#times[kind];
    const costMs = fixedMs + eachMs * accounts.length;
    const startedAt = this.#events.now;
    for (const account of accounts) this.#locked[kind].add(account);
    this.#busyCores += 1;
    this.#work.busyMs += costMs;
    this.#work.statements += 1;
    this.#events.after(costMs, () => {
      this.#busyCores -= 1;
      if (kind === 'settle') this.#commit(statement, startedAt);
      else this.#finish(statement);
      this.#startWaiting();
    });
  }

  /** Commits that arrive during a flush share the next one. */
  #commit(statement: Statement, startedAt: number): void {
    const { accounts } = statement;
    this.#work.requests += accounts.length;
    this.#work.logBytes += accounts.length * this.#times.logBytes;
    this.#committing.push(() => {
      if (accounts.includes(BUSIEST_ACCOUNT)) this.#work.busiestAccountMs += this.#events.now - startedAt;
      this.#finish(statement);
    });
    if (!this.#isFlushing) this.#flush();
  }

  #flush(): void {
    this.#isFlushing = true;
    const group = this.#committing;
    this.#committing = [];
    this.#events.after(this.#times.flushMs, () => {
      this.#isFlushing = false;
      for (const finish of group) finish();
      if (this.#committing.length > 0 && !this.#isFlushing) this.#flush();
    });
  }

  #finish({ kind, accounts, done }: Statement): void {
    for (const account of accounts) this.#locked[kind].delete(account);
    done();
    this.#startWaiting();
  }
}
