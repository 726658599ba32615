import { nextTurn } from '../../base/lib/next-turn.ts';
import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  SeriesQuestion,
  UsageColumn,
  UsageStore,
} from '../../watch/requests/usage-store.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { addRequestSums, selectChargeSeries, selectRequestSeries, sweepRequestSums } from './usage-series.ts';

/** The hours or days that are read without a pause. */
const STEPS_AT_A_TIME = 24;

/** Sums of usage by hour and by day. */
export class SqliteUsage implements UsageStore {
  readonly #connection: SqliteConnection;
  readonly #writer: GroupCommitWriter;
  readonly #writeSums: (accountId: string) => void;

  /** `writeSums` writes the sums of an account's latest charges. */
  constructor(
    connection: SqliteConnection,
    writer: GroupCommitWriter,
    writeSums: (accountId: string) => void,
  ) {
    this.#connection = connection;
    this.#writer = writer;
    this.#writeSums = writeSums;
  }

  async chargeSeries(question: SeriesQuestion<'model' | 'key'>): Promise<ChargeSeriesRow[]> {
    this.#read(() => this.#writeSums(question.accountId));
    return this.#sliced(question, (slice) => selectChargeSeries(this.#connection, slice));
  }

  async requestSeries(question: SeriesQuestion<UsageColumn>): Promise<RequestSeriesRow[]> {
    return this.#sliced(question, (slice) => selectRequestSeries(this.#connection, slice));
  }

  addRequestSums(sums: readonly RequestSum[], maxUsers: number): Promise<void> {
    return this.#writer.write((connection) => addRequestSums(connection, sums, maxUsers));
  }

  sweepRequestSums(options: { hoursBefore: number; daysBefore: number; limit: number }): Promise<number> {
    return this.#writer.write((connection) => sweepRequestSums(connection, options));
  }

  /** Reads a long span in slices, so that requests are served in between. */
  async #sliced<Question extends { from: number; to: number }, Row>(
    question: Question,
    select: (slice: Question) => Row[],
  ): Promise<Row[]> {
    const rows: Row[] = [];
    for (let { from } = question; from < question.to; from += STEPS_AT_A_TIME) {
      if (from > question.from) await nextTurn();
      const to = Math.min(question.to, from + STEPS_AT_A_TIME);
      for (const row of this.#read(() => select({ ...question, from, to }))) rows.push(row);
    }
    return rows;
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }
}
