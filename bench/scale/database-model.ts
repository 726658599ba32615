import type { EventQueue } from './event-queue.ts';
import type { ServiceTimes } from './service-times.ts';

export type StatementKind = 'gate' | 'settle';
type Statement = { kind: StatementKind; accounts: readonly number[]; done: () => void };

/**
 * One Postgres primary: some cores, one log that is flushed for many commits at
 * once, and a lock for each account.
 */
export class DatabaseModel {
  readonly #events: EventQueue;
  readonly #times: ServiceTimes;
  readonly #cores: number;
  readonly #queue: Statement[] = [];
  readonly #locked = { gate: new Set<number>(), settle: new Set<number>() };
  #busyCores = 0;
  #isFlushing = false;
  #committing: (() => void)[] = [];
  busyMs = 0;
  /** The time in which a settlement of the busiest account, which is 0, holds its lock. */
  busiestAccountMs = 0;
  logBytes = 0;
  statements = 0;
  requests = 0;

  constructor(events: EventQueue, times: ServiceTimes, cores: number) {
    this.#events = events;
    this.#times = times;
    this.#cores = cores;
  }

  run(statement: Statement): void {
    this.#queue.push(statement);
    this.#start();
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Starts the oldest statements whose accounts are not locked. */
  #start(): void {
    for (let at = 0; at < this.#queue.length && this.#busyCores < this.#cores; ) {
      const statement = this.#queue[at]!;
      const locked = this.#locked[statement.kind];
      if (statement.accounts.some((account) => locked.has(account))) at += 1;
      else {
        this.#queue.splice(at, 1);
        this.#execute(statement);
      }
    }
  }

  #execute({ kind, accounts, done }: Statement): void {
    const { fixedMs, eachMs } = this.#times[kind];
    const startedAt = this.#events.now;
    const locked = this.#locked[kind];
    for (const account of accounts) locked.add(account);
    this.#busyCores += 1;
    const costMs = fixedMs + eachMs * accounts.length;
    this.busyMs += costMs;
    this.statements += 1;
    this.#events.after(costMs, () => {
      this.#busyCores -= 1;
      const finish = () => {
        for (const account of accounts) locked.delete(account);
        if (kind === 'settle' && accounts.includes(0)) this.busiestAccountMs += this.#events.now - startedAt;
        done();
        this.#start();
      };
      if (kind === 'settle') {
        this.requests += accounts.length;
        this.logBytes += accounts.length * this.#times.logBytes;
        this.#commit(finish);
      } else finish();
      this.#start();
    });
  }

  /** Commits that arrive during a flush share the next one. */
  #commit(finish: () => void): void {
    this.#committing.push(finish);
    if (!this.#isFlushing) this.#flush();
  }

  #flush(): void {
    this.#isFlushing = true;
    const group = this.#committing;
    this.#committing = [];
    this.#events.after(this.#times.flushMs, () => {
      this.#isFlushing = false;
      for (const each of group) each();
      if (this.#committing.length > 0 && !this.#isFlushing) this.#flush();
    });
  }
}
