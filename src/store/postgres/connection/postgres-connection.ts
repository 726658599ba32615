import type { PostgresRow, SqlValue } from '../sql-value.ts';
import { commandCount } from './command-count.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { PostgresHost } from './connection-target.ts';
import { MessageReader } from './message-reader.ts';
import {
  COMMAND_COMPLETE,
  DATA_ROW,
  ERROR,
  IDLE,
  IN_TRANSACTION,
  NOTIFICATION,
  PARSE_COMPLETE,
  READY,
  ROW_DESCRIPTION,
} from './message-types.ts';
import { MessageWriter } from './message-writer.ts';
import { type PostgresError, readPostgresError } from './postgres-error.ts';
import type { PostgresSocket } from './postgres-socket.ts';
import { type PreparedStatement, PreparedStatements } from './prepared-statements.ts';
import { type RowReader, readRowDescription } from './row-reader.ts';

export type StatementOutcome = { rows: PostgresRow[]; count: number };
export type Statement = { text: string; values?: readonly SqlValue[] | undefined };

/** The values that the server reported when the connection began. */
export type ServerFacts = {
  parameters: ReadonlyMap<string, string>;
  processId: number;
  secret: Buffer;
};

/** A statement that was sent, until its answer has ended. */
type SentStatement = {
  readonly statement: Statement;
  readonly prepared: PreparedStatement | undefined;
  /** True if it was sent again after its preparation had become stale. */
  readonly wasRepeated: boolean;
  /** The statements before it in the same transmission that the server has not parsed yet. */
  openings: number;
  rows: RowReader | undefined;
  readonly outcome: StatementOutcome;
  error: PostgresError | undefined;
  resolve(outcome: StatementOutcome): void;
  reject(error: unknown): void;
};

type SendOptions = { openings?: number; wasRepeated?: boolean };
const NO_OPTIONS: SendOptions = {};

/** The codes for a statement that is unknown or whose columns have changed. Nothing has run. */
const STALE_STATEMENT = new Set(['26000', '0A000']);
const NO_VALUES: readonly SqlValue[] = [];

type ConnectionParts = {
  socket: PostgresSocket;
  facts: ServerFacts;
  /** True if statements are prepared, so that the server parses each text once. */
  prepares: boolean;
};

/**
 * One connection that is ready for statements.
 * They may be sent without waiting for the answers to earlier ones.
 */
export class PostgresConnection {
  readonly facts: ServerFacts;
  readonly openedAt = performance.now();
  /** The owner of the connection sets both. */
  onNotification: (channel: string, payload: string) => void = () => {};
  onClosed: (error: unknown) => void = () => {};
  readonly #socket: PostgresSocket;
  readonly #writer = new MessageWriter();
  readonly #reader = new MessageReader();
  readonly #prepared: PreparedStatements | undefined;
  readonly #sent: SentStatement[] = [];
  #failure: unknown;
  /** The transaction state of the last answer: idle, in a transaction or in a failed one. */
  #state = IDLE;

  constructor({ socket, facts, prepares }: ConnectionParts) {
    this.#socket = socket;
    this.facts = facts;
    this.#prepared = prepares ? new PreparedStatements() : undefined;
    socket.events = {
      data: (bytes) => this.#read(bytes),
      closed: (error) => this.#fail(error),
    };
  }

  get host(): PostgresHost {
    return this.#socket.host;
  }

  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** Reports whether nothing is under way, and no transaction is open. */
  get isClean(): boolean {
    return this.isOpen && this.#sent.length === 0 && this.#state === IDLE;
  }

  /** Reports whether a transaction is open, and none of its statements failed. */
  get canCommit(): boolean {
    return this.#state === IN_TRANSACTION;
  }

  query(statement: Statement): Promise<StatementOutcome> {
    const outcome = this.#add(statement);
    this.#flush();
    return outcome;
  }

  /**
   * Begins a transaction with its first statement, in one round trip. The server skips the statement if one
   * of the openings fails. Otherwise the statement would run on its own.
   */
  begin(openings: readonly string[], statement: Statement): Promise<StatementOutcome> {
    if (this.isOpen) for (const text of openings) this.#sendOpening(text);
    const outcome = this.#add(statement, { openings: openings.length });
    this.#flush();
    return outcome;
  }

  /** Sends all statements at once. Each is a transaction of its own if no transaction is open. */
  pipeline(statements: readonly Statement[]): Promise<StatementOutcome>[] {
    const outcomes = statements.map((statement) => this.#add(statement));
    this.#flush();
    return outcomes;
  }

  /** Runs statements without values, separated by semicolons. Returns the rows of all. */
  simple(text: string): Promise<StatementOutcome> {
    if (!this.isOpen) return Promise.reject(this.#failure);
    const outcome = this.#expect({ text }, undefined);
    this.#writer.simpleQuery(text);
    this.#flush();
    return outcome;
  }

  /** Closes the connection at once. Statements under way fail with the given error. */
  destroy(error: unknown): void {
    this.#fail(error);
    this.#socket.destroy();
  }

  /**
   * Statements that are under way fail at once, but the connection closes only afterwards, so that PgBouncer
   * can still cancel its statement.
   */
  destroyAfter(error: unknown, cancel: Promise<void>): void {
    this.#fail(error);
    void cancel.finally(() => this.#socket.destroy());
  }

  /** Says goodbye to the server. */
  end(): void {
    if (!this.isOpen) return;
    this.#writer.terminate();
    this.#flush();
    this.#socket.end();
    this.#fail(new ConnectionLost('the connection was closed'));
  }

  #flush(): void {
    if (this.isOpen) this.#socket.write(this.#writer.take());
  }

  /** Expects the answer to a statement, after those to all that were sent before. */
  #expect(
    statement: Statement,
    prepared: PreparedStatement | undefined,
    { openings = 0, wasRepeated = false }: SendOptions = NO_OPTIONS,
  ): Promise<StatementOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementOutcome>();
    this.#sent.push({
      statement,
      prepared,
      wasRepeated,
      openings,
      rows: prepared?.rows,
      outcome: { rows: [], count: 0 },
      error: undefined,
      resolve,
      reject,
    });
    return promise;
  }

  /** Writes a statement, which the next flush sends. */
  #add(statement: Statement, options?: SendOptions): Promise<StatementOutcome> {
    if (!this.isOpen) return Promise.reject(this.#failure);
    const prepared = this.#prepared?.of(statement.text);
    const outcome = this.#expect(statement, prepared, options);
    this.#write(statement, prepared);
    return outcome;
  }

  #sendOpening(text: string): void {
    this.#writer.parse('', text);
    this.#writer.bind('', NO_VALUES);
    this.#writer.execute();
  }

  #write({ text, values = NO_VALUES }: Statement, prepared: PreparedStatement | undefined): void {
    const writer = this.#writer;
    const name = prepared?.name ?? '';
    if (!prepared?.isSent) {
      writer.parse(name, text);
      writer.describe(name);
      if (prepared) prepared.isSent = true;
    }
    writer.bind(name, values);
    writer.execute();
    writer.sync();
  }

  #read(bytes: Buffer): void {
    try {
      this.#reader.read(bytes, this.#handle);
    } catch (error) {
      this.destroy(error);
    }
  }

  readonly #handle = (type: number, bytes: Buffer, start: number, end: number): void => {
    const sent = this.#sent[0];
    switch (type) {
      case DATA_ROW: {
        // Another statement of the same text can have asked for the columns.
        const rows = sent?.rows ?? sent?.prepared?.rows;
        if (rows) sent!.outcome.rows.push(rows.row(bytes, start));
        return;
      }
      case PARSE_COMPLETE:
        if (sent && sent.openings > 0) sent.openings--;
        else if (sent?.prepared) sent.prepared.isKnown = true;
        return;
      case COMMAND_COMPLETE:
        if (sent) sent.outcome.count = commandCount(bytes, end);
        return;
      case READY:
        this.#state = bytes[start] ?? IDLE;
        this.#finish();
        return;
      case ROW_DESCRIPTION:
        if (sent) this.#describe(sent, readRowDescription(bytes, start));
        return;
      case ERROR:
        this.#onError(sent, readPostgresError(bytes, start, end));
        return;
      case NOTIFICATION:
        this.#notify(bytes, start);
    }
  };

  #describe(sent: SentStatement, rows: RowReader): void {
    sent.rows = rows;
    if (sent.prepared) sent.prepared.rows = rows;
  }

  /** Without a statement under way the server announces that it ends the connection. */
  #onError(sent: SentStatement | undefined, error: PostgresError): void {
    if (sent && error.severity === 'ERROR') sent.error ??= error;
    else this.destroy(error);
  }

  #finish(): void {
    const sent = this.#sent.shift();
    if (!sent) return;
    const { error } = sent;
    if (!error) {
      sent.resolve(sent.outcome);
      return;
    }
    if (!sent.prepared?.isKnown || STALE_STATEMENT.has(error.code)) this.#forget(sent);
    if (this.#mayRepeat(sent, error))
      this.#add(sent.statement, { wasRepeated: true }).then(sent.resolve, sent.reject);
    else sent.reject(error);
    this.#flush();
  }

  /** A statement that failed may not have been parsed, so its name is not used again. */
  #forget({ prepared, statement }: SentStatement): void {
    if (prepared && this.#prepared?.forget(statement.text, prepared))
      this.#writer.closeStatement(prepared.name);
  }

  #mayRepeat({ prepared, wasRepeated }: SentStatement, { code, routine }: PostgresError): boolean {
    if (!prepared || wasRepeated || this.#state !== IDLE) return false;
    return STALE_STATEMENT.has(code) && (code !== '0A000' || routine === 'RevalidateCachedQuery');
  }

  #notify(bytes: Buffer, start: number): void {
    const channelEnd = bytes.indexOf(0, start + 4);
    const channel = bytes.toString('utf8', start + 4, channelEnd);
    this.onNotification(channel, bytes.toString('utf8', channelEnd + 1, bytes.indexOf(0, channelEnd + 1)));
  }

  #fail(error: unknown): void {
    if (!this.isOpen) return;
    this.#failure = error;
    for (const sent of this.#sent.splice(0)) sent.reject(error);
    this.onClosed(error);
  }
}
