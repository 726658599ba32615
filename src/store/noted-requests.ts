import type {
  CountedRequestStore,
  CountedRequests,
  NumberedEntry,
} from '../watch/traffic/counted-request-store.ts';
import type { CommonStatement } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { number, text } from './row-columns.ts';

const ENTRIES_AT_A_TIME = 500;

/** The notes of processes about the charged requests that they have counted, in both kinds of databases. */
export class NotedRequests implements CountedRequestStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async listCounted(): Promise<CountedRequests[]> {
    const rows = await this.#queries.all(
      'SELECT node, at, request_ids FROM traffic_counted ORDER BY at, node',
      [],
    );
    return rows.map((row) => {
      const ids = text(row, 'request_ids');
      return { node: text(row, 'node'), at: number(row, 'at'), requestIds: ids === '' ? [] : ids.split(' ') };
    });
  }

  async forgetCounted(node: string, before: number = Number.MAX_SAFE_INTEGER): Promise<void> {
    await this.#queries.run('DELETE FROM traffic_counted WHERE node = $1 AND at < $2', [node, before]);
  }

  async entriesBefore(last: number | null, node: string | null): Promise<NumberedEntry[]> {
    const before = last ?? Number.MAX_SAFE_INTEGER;
    const isShared = node !== null && this.#queries.forms.isShared;
    const rows = await this.#queries.all(
      `SELECT number, id, text, hash FROM entry WHERE number < $1 ${isShared ? 'AND node = $2' : ''}
       ORDER BY number DESC LIMIT ${ENTRIES_AT_A_TIME}`,
      isShared ? [before, node] : [before],
    );
    // `readEntry` reports a row that was changed.
    return rows.map((row) => ({
      number: Number(row.number),
      id: String(row.id),
      text: String(row.text),
      hash: String(row.hash),
    }));
  }
}

const noteSql = `
  INSERT INTO traffic_counted (node, at, request_ids) VALUES ($1, $2, $3)
  ON CONFLICT (node, at) DO UPDATE SET request_ids = traffic_counted.request_ids || ' ' || excluded.request_ids`;

/** Returns the statement that writes a note. Two flushes of a process can have the same millisecond. */
export const noteStatement = ({ node, at, requestIds }: CountedRequests): CommonStatement => ({
  text: noteSql,
  values: [node, at, requestIds.join(' ')],
});
