import { codeOfError } from '../../base/lib/error-code.ts';
import { StoreProblem } from '../store-problem.ts';
import type { ConnectionTarget } from './connection/connection-target.ts';
import { parseConnectionUrl } from './connection/parse-connection-url.ts';
import type { PostgresConnection, Statement } from './connection/postgres-connection.ts';
import { NoticeListener, type NoticeOptions } from './notice-listener.ts';
import { type PoolMeter, silentMeter } from './pool-meter.ts';
import { PostgresPool } from './postgres-pool.ts';
import { postgresProblem } from './postgres-problem.ts';
import type { CallOptions, Queries, Transaction } from './queries.ts';
import type { PostgresRow, SqlValue } from './sql-value.ts';
import { TransactionQueries } from './transaction-queries.ts';

export type { PostgresRow, SqlValue } from './sql-value.ts';

export type DatabaseOptions = {
  url: string;
  /** The server's own address for notices, if `url` leads to PgBouncer. */
  listenUrl?: string | undefined;
  /** The number of connections. */
  maxConnections?: number;
  /** The deadline of calls that name none. */
  deadlineMs?: number;
  /** False if statements are parsed each time, as PgBouncer before version 1.21 needs. */
  prepare?: boolean;
  meter?: PoolMeter;
};

const CONNECTIONS = 6;
/** A request that needs the store is refused within 4.5 s. */
const DEADLINE_MS = 4_000;
const CLOSE_MS = 2_000;
const NO_OPTIONS: CallOptions = {};
/** The server refuses writes, so the connections lead to a former primary. */
const READ_ONLY = '25006';

/**
 * A pool of connections to one database. Every failure that an operator can repair is a `StoreProblem`. After
 * a failure of the connection it is unknown whether the statement ran.
 */
export class Database implements Queries {
  readonly target: ConnectionTarget;
  readonly #pool: PostgresPool;
  readonly #listenTarget: ConnectionTarget;
  readonly #deadlineMs: number;
  readonly #meter: PoolMeter;

  constructor({
    url,
    listenUrl = url,
    maxConnections = CONNECTIONS,
    deadlineMs = DEADLINE_MS,
    prepare = true,
    meter = silentMeter,
  }: DatabaseOptions) {
    const target = parseConnectionUrl(url);
    this.target = { ...target, prepare: target.prepare && prepare };
    this.#pool = new PostgresPool({ target: this.target, maxConnections, meter });
    this.#listenTarget = parseConnectionUrl(listenUrl);
    this.#deadlineMs = deadlineMs;
    this.#meter = meter;
  }

  /** The connections that are open and idle, and the calls that wait for one. */
  get counts(): { open: number; idle: number; waiting: number } {
    return this.#pool.counts;
  }

  async all(text: string, values?: readonly SqlValue[], options?: CallOptions): Promise<PostgresRow[]> {
    return (await this.#call((connection) => connection.query({ text, values }), options)).rows;
  }

  async first(
    text: string,
    values?: readonly SqlValue[],
    options?: CallOptions,
  ): Promise<PostgresRow | undefined> {
    return (await this.all(text, values, options))[0];
  }

  async run(text: string, values?: readonly SqlValue[], options?: CallOptions): Promise<number> {
    return (await this.#call((connection) => connection.query({ text, values }), options)).count;
  }

  /**
   * Sends the statements in one network round trip on one connection. Each is a transaction of its own, and
   * the later ones run even if an earlier one fails. Rejects only if no connection can be had.
   */
  pipeline(
    statements: readonly Statement[],
    options?: CallOptions,
  ): Promise<PromiseSettledResult<PostgresRow[]>[]> {
    return this.#call(async (connection) => {
      const outcomes = await Promise.allSettled(connection.pipeline(statements));
      return outcomes.map((outcome) =>
        outcome.status === 'fulfilled'
          ? { status: 'fulfilled' as const, value: outcome.value.rows }
          : { status: 'rejected' as const, reason: this.#problem(outcome.reason) },
      );
    }, options);
  }

  /** Runs statements without parameters, in one transaction. */
  async script(text: string, options?: CallOptions): Promise<void> {
    await this.#call((connection) => connection.simple(text), options);
  }

  /**
   * Runs the work in one transaction. It is rolled back if the work fails. The server ends it by itself if
   * this process stops for longer than the deadline.
   */
  transaction<T>(work: (queries: Transaction) => Promise<T>, options: CallOptions = NO_OPTIONS): Promise<T> {
    const limitMs = Math.ceil(options.deadlineMs ?? this.#deadlineMs);
    return this.#call(async (connection) => {
      const queries = new TransactionQueries(connection, limitMs, (error) => this.#problem(error));
      try {
        const result = await work(queries);
        await queries.commit();
        return result;
      } catch (error) {
        // The failure of the work is reported, not that of its end.
        await connection.simple('ROLLBACK').catch(() => {});
        throw error;
      }
    }, options);
  }

  /** Receives the notices of a channel on a connection of its own, which is made again whenever it fails. */
  listen(options: Omit<NoticeOptions, 'target'>): NoticeListener {
    return new NoticeListener({ ...options, target: this.#listenTarget });
  }

  /** Ends within two seconds. Calls that are under way then fail. */
  close(): Promise<void> {
    return this.#pool.close(CLOSE_MS);
  }

  async #call<T>(
    call: (connection: PostgresConnection) => Promise<T>,
    { deadlineMs = this.#deadlineMs, isUrgent, isWanted, name, operations }: CallOptions = NO_OPTIONS,
  ): Promise<T> {
    const startedAt = performance.now();
    try {
      const connection = await this.#pool.take({ deadlineMs, isUrgent });
      try {
        if (isWanted?.() === false) throw unwanted();
        return await call(connection);
      } finally {
        this.#pool.giveBack(connection);
      }
    } catch (error) {
      throw this.#problem(error);
    } finally {
      if (name !== undefined) {
        this.#meter.called(name, performance.now() - startedAt);
        if (operations !== undefined) this.#meter.grouped(name, operations);
      }
    }
  }

  #problem(error: unknown): unknown {
    if (codeOfError(error) === READ_ONLY) this.#pool.renew();
    return postgresProblem(error);
  }
}

const unwanted = (): StoreProblem =>
  new StoreProblem('The caller no longer waits for Postgres', 'check Postgres and the network to it');
