import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  SeriesQuestion,
  UsageColumn,
  UsageStore,
} from '../../api/usage/usage-store.ts';
import type { SqliteConnection } from './connection.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { addRequestSums, selectChargeSeries, selectRequestSeries, sweepRequestSums } from './usage-series.ts';

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
    return this.#read(() => {
      this.#writeSums(question.accountId);
      return selectChargeSeries(this.#connection, question);
    });
  }

  async requestSeries(question: SeriesQuestion<UsageColumn>): Promise<RequestSeriesRow[]> {
    return this.#read(() => selectRequestSeries(this.#connection, question));
  }

  addRequestSums(sums: readonly RequestSum[], mostUsers: number): Promise<void> {
    return this.#writer.write((connection) => addRequestSums(connection, sums, mostUsers));
  }

  sweepRequestSums(options: { hoursBefore: number; daysBefore: number; limit: number }): Promise<number> {
    return this.#writer.write((connection) => sweepRequestSums(connection, options));
  }

  #read<T>(query: () => T): T {
    return withSqliteProblems(this.#connection.path, query);
  }
}
