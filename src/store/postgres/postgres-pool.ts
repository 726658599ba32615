import { StoreProblem } from '../store-problem.ts';
import { cancelStatement } from './connection/cancel-statement.ts';
import type { ConnectionTarget } from './connection/connection-target.ts';
import { openConnection } from './connection/open-connection.ts';
import type { PostgresConnection } from './connection/postgres-connection.ts';
import { type PoolMeter, silentMeter } from './pool-meter.ts';
import { postgresProblem } from './postgres-problem.ts';

/** The bounds of the wait for a connection and of the call on it. */
export type LeaseOrder = {
  deadlineMs: number;
  /** True if the call goes before others and may use the connections that are reserved for urgent calls. */
  isUrgent?: boolean | undefined;
};

export type PoolOptions = {
  target: ConnectionTarget;
  /** The number of connections. */
  maxConnections: number;
  meter?: PoolMeter;
};

/** The right to use a connection until the deadline. */
type Lease = {
  readonly isUrgent: boolean;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly deadlineMs: number;
  readonly resolve: (connection: PostgresConnection) => void;
  readonly reject: (error: unknown) => void;
};

type IdleConnection = { connection: PostgresConnection; since: number };

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 300;
/** The precision of deadlines. */
const WATCH_MS = 50;
/** Firewalls forget silent connections. */
const MAX_IDLE_MS = 240_000;
/** New connections reach the servers that an address has meanwhile. */
const MAX_LIFE_MS = 1_800_000;
/** The connections that only urgent calls may use. Pools of up to twice as many reserve no connection. */
const RESERVED = 2;

/**
 * A fixed number of connections, which are opened when they are needed. A call that passes its deadline loses
 * its connection, so a network that drops packets blocks no connection for longer.
 */
export class PostgresPool {
  readonly #target: ConnectionTarget;
  readonly #maxConnections: number;
  readonly #meter: PoolMeter;
  readonly #idle: IdleConnection[] = [];
  readonly #leases = new Map<PostgresConnection, Lease>();
  readonly #urgent: Lease[] = [];
  readonly #ordinary: Lease[] = [];
  #opening = 0;
  #renewedAt = 0;
  #failure: unknown;
  #retry: Timer | undefined;
  #watch: Timer | undefined;
  #closing: PromiseWithResolvers<void> | undefined;

  constructor({ target, maxConnections, meter = silentMeter }: PoolOptions) {
    this.#target = target;
    this.#maxConnections = Math.max(1, maxConnections);
    this.#meter = meter;
  }

  get counts(): { open: number; idle: number; waiting: number } {
    const idle = this.#idle.length;
    return { open: this.#leases.size + idle, idle, waiting: this.#waiting };
  }

  /** Takes a connection, which the caller must give back. */
  take({ deadlineMs, isUrgent = false }: LeaseOrder): Promise<PostgresConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<PostgresConnection>();
    const startedAt = performance.now();
    const endsAt = startedAt + deadlineMs;
    const lease = { isUrgent, startedAt, endsAt, deadlineMs, resolve, reject };
    if (this.#closing) reject(closedProblem());
    else {
      (isUrgent ? this.#urgent : this.#ordinary).push(lease);
      this.#serve();
      this.#startWatch();
    }
    return promise;
  }

  giveBack(connection: PostgresConnection): void {
    this.#leases.delete(connection);
    if (this.#closing || !connection.isOpen) connection.end();
    else if (!connection.isClean) connection.destroy(closedProblem());
    else if (this.#isOld(connection)) connection.end();
    else this.#idle.push({ connection, since: performance.now() });
    this.#serve();
    this.#settleClose();
  }

  /** Replaces all present connections, as after a failover. */
  renew(): void {
    this.#renewedAt = performance.now();
    for (const { connection } of this.#idle.splice(0)) connection.destroy(closedProblem());
  }

  /** Waits for the calls under way. Calls that last longer than `timeoutMs` are ended. */
  async close(timeoutMs: number): Promise<void> {
    this.#closing ??= Promise.withResolvers<void>();
    clearTimeout(this.#retry);
    for (const lease of this.#takeWaiting(() => true)) lease.reject(closedProblem());
    for (const { connection } of this.#idle.splice(0)) connection.end();
    const timer = setTimeout(() => {
      for (const connection of [...this.#leases.keys()]) {
        this.#leases.delete(connection);
        connection.destroy(closedProblem());
      }
      this.#settleClose();
    }, timeoutMs);
    this.#settleClose();
    await this.#closing.promise;
    clearTimeout(timer);
    clearInterval(this.#watch);
  }

  #isOld({ openedAt }: PostgresConnection): boolean {
    return openedAt <= this.#renewedAt || performance.now() - openedAt > MAX_LIFE_MS;
  }

  get #waiting(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  #settleClose(): void {
    if (this.#leases.size === 0) this.#closing?.resolve();
  }

  #serve(): void {
    let lease = this.#next();
    while (lease) {
      const connection = this.#takeIdle();
      if (!connection) break;
      this.#shift(lease);
      this.#assign(lease, connection);
      lease = this.#next();
    }
    if (lease) this.#openMore();
  }

  /** Ordinary calls leave the reserved connections to urgent ones. */
  #next(): Lease | undefined {
    const urgent = this.#urgent[0];
    if (urgent) return urgent;
    const reserved = this.#maxConnections > 2 * RESERVED ? RESERVED : 0;
    return this.#leases.size < this.#maxConnections - reserved ? this.#ordinary[0] : undefined;
  }

  #shift(lease: Lease): void {
    (lease.isUrgent ? this.#urgent : this.#ordinary).shift();
  }

  #assign(lease: Lease, connection: PostgresConnection): void {
    this.#leases.set(connection, lease);
    this.#meter.recordWait(performance.now() - lease.startedAt);
    lease.resolve(connection);
  }

  #takeIdle(): PostgresConnection | undefined {
    const last = this.#idle.pop();
    if (!last) return undefined;
    if (performance.now() - last.since < MAX_IDLE_MS) return last.connection;
    last.connection.end();
    return this.#takeIdle();
  }

  /** Opens connections. After a failure it tries one at a time. */
  #openMore(): void {
    if (this.#closing || this.#retry) return;
    const room = this.#maxConnections - this.#leases.size - this.#idle.length;
    const wanted = this.#failure === undefined ? Math.min(this.#waiting, room) : Math.min(1, room);
    while (this.#opening < wanted) {
      this.#opening++;
      openConnection(this.#target, { timeoutMs: CONNECT_TIMEOUT_MS }).then(
        (connection) => this.#opened(connection),
        (error) => this.#failed(error),
      );
    }
  }

  #opened(connection: PostgresConnection): void {
    this.#opening--;
    this.#failure = undefined;
    if (this.#closing) {
      connection.end();
      return;
    }
    connection.onClosed = () => this.#onLost(connection);
    this.#idle.push({ connection, since: performance.now() });
    this.#serve();
  }

  #failed(error: unknown): void {
    this.#opening--;
    this.#failure = error;
    this.#meter.connectFailed();
    if (this.#closing || this.#waiting === 0) return;
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#serve();
    }, RETRY_MS);
  }

  #onLost(connection: PostgresConnection): void {
    const index = this.#idle.findIndex((idle) => idle.connection === connection);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#serve();
  }

  #startWatch(): void {
    this.#watch ??= setInterval(() => this.#expire(), WATCH_MS);
  }

  #expire(): void {
    const now = performance.now();
    for (const lease of this.#takeWaiting(({ endsAt }) => endsAt <= now))
      lease.reject(this.#waitProblem(lease));
    for (const [connection, lease] of this.#leases)
      if (lease.endsAt <= now && connection.isOpen) this.#break(connection, lease);
    if (this.#waiting + this.#leases.size > 0) return;
    clearInterval(this.#watch);
    this.#watch = undefined;
  }

  /**
   * The server may still work on the statement, and the network may have swallowed the other connections too.
   */
  #break(connection: PostgresConnection, lease: Lease): void {
    this.#meter.expired();
    const problem = new StoreProblem(
      `Postgres did not answer within ${lease.deadlineMs} ms`,
      'check the load of the database server, its locks and the network to it',
    );
    const order = { host: connection.host, connection, timeoutMs: CONNECT_TIMEOUT_MS };
    connection.destroyAfter(problem, cancelStatement(this.#target, order));
    for (const idle of this.#idle.filter(({ since }) => since <= lease.startedAt))
      idle.connection.destroy(closedProblem());
  }

  #takeWaiting(isTaken: (lease: Lease) => boolean): Lease[] {
    const taken: Lease[] = [];
    for (const line of [this.#urgent, this.#ordinary]) {
      const waiting = line.filter((lease) => !isTaken(lease));
      if (waiting.length < line.length) taken.push(...line.filter(isTaken));
      line.splice(0, line.length, ...waiting);
    }
    return taken;
  }

  #waitProblem({ deadlineMs }: Lease): unknown {
    if (this.#failure !== undefined) return postgresProblem(this.#failure);
    const connecting = this.#opening > 0 && this.#leases.size === 0;
    return new StoreProblem(
      connecting
        ? `No connection to Postgres could be made within ${deadlineMs} ms`
        : `No connection to Postgres became free within ${deadlineMs} ms`,
      connecting ? 'check the database server and the network to it' : 'raise store.connections',
    );
  }
}

const closedProblem = (): StoreProblem =>
  new StoreProblem('The connection to Postgres was closed', 'try again');
