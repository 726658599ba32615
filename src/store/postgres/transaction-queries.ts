import type { PostgresConnection, Statement, StatementOutcome } from './connection/postgres-connection.ts';
import type { Transaction } from './queries.ts';
import type { PostgresRow, SqlValue } from './sql-value.ts';

/** The statements of one transaction, which begins with the first of them. */
export class TransactionQueries implements Transaction {
  readonly #connection: PostgresConnection;
  readonly #openings: readonly string[];
  readonly #problem: (error: unknown) => unknown;
  #begun: Promise<unknown> | undefined;

  constructor(connection: PostgresConnection, limitMs: number, problem: (error: unknown) => unknown) {
    this.#connection = connection;
    this.#openings = ['BEGIN', `SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`];
    this.#problem = problem;
  }

  async all(text: string, values?: readonly SqlValue[]): Promise<PostgresRow[]> {
    return (await this.#query({ text, values })).rows;
  }

  async first(text: string, values?: readonly SqlValue[]): Promise<PostgresRow | undefined> {
    return (await this.all(text, values))[0];
  }

  async run(text: string, values?: readonly SqlValue[]): Promise<number> {
    return (await this.#query({ text, values })).count;
  }

  async script(text: string): Promise<void> {
    await this.#send({
      first: () => this.#connection.simple([...this.#openings, text].join('; ')),
      later: () => this.#connection.simple(text),
    });
  }

  async commit(): Promise<void> {
    if (!this.#begun) return;
    await this.#begun;
    if (!this.#connection.canCommit)
      throw new Error('a statement in the transaction failed and its error was ignored');
    await this.#connection.simple('COMMIT');
  }

  #query(statement: Statement): Promise<StatementOutcome> {
    return this.#send({
      first: () => this.#connection.begin(this.#openings, statement),
      later: () => this.#connection.query(statement),
    });
  }

  /**
   * Later statements wait until the transaction is open, since they would otherwise run on their own if it
   * does not open.
   */
  async #send({ first, later }: Record<'first' | 'later', () => Promise<StatementOutcome>>) {
    try {
      if (this.#begun) {
        await this.#begun;
        return await later();
      }
      const sent = first();
      this.#begun = sent;
      return await sent;
    } catch (error) {
      throw this.#problem(error);
    }
  }
}
