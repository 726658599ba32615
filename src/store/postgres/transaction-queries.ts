import type { PostgresConnection, Statement, StatementOutcome } from './connection/postgres-connection.ts';
import type { Transaction } from './queries.ts';
import type { PostgresRow, SqlValue } from './sql-value.ts';

/** The statements of one transaction, which begins with the first of them. */
export class TransactionQueries implements Transaction {
  readonly #connection: PostgresConnection;
  readonly #openings: readonly string[];
  readonly #toStoreProblem: (error: unknown) => unknown;
  /** The statement that begins the transaction. Undefined until a statement is sent. */
  #begun: Promise<unknown> | undefined;

  constructor(connection: PostgresConnection, limitMs: number, toStoreProblem: (error: unknown) => unknown) {
    this.#connection = connection;
    this.#openings = ['BEGIN', `SET LOCAL idle_in_transaction_session_timeout = ${limitMs}`];
    this.#toStoreProblem = toStoreProblem;
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
      opening: () => this.#connection.simple([...this.#openings, text].join('; ')),
      following: () => this.#connection.simple(text),
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
      opening: () => this.#connection.begin(this.#openings, statement),
      following: () => this.#connection.query(statement),
    });
  }

  /**
   * Sends a statement. The first one opens the transaction, and the following ones wait for that. If the
   * transaction did not open, they would otherwise be executed outside of it.
   */
  async #send({ opening, following }: Record<'opening' | 'following', () => Promise<StatementOutcome>>) {
    try {
      if (this.#begun) {
        await this.#begun;
        return await following();
      }
      const sent = opening();
      this.#begun = sent;
      return await sent;
    } catch (error) {
      // The work of the transaction sees the same errors as its caller.
      throw this.#toStoreProblem(error);
    }
  }
}
