import type { ItemState, ResultRow } from '../../../batches/stored/batch.ts';
import { nullableText, number, text } from '../../row-columns.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const withLines = `
  FROM batch_item AS item LEFT JOIN batch_result AS result
    ON result.batch = item.batch AND result.number = item.number
  WHERE item.batch = $sequence AND item.number > $after`;

const selectLengthsSql = `
  SELECT item.number, coalesce(octet_length(line), 0) AS bytes ${withLines} ORDER BY item.number LIMIT $limit`;

const selectLinesSql = `
  SELECT item.number, custom_id, request_id, state, line ${withLines} AND item.number <= $last
  ORDER BY item.number`;

/** Returns items in order with their results: as many as fit, and at least one. */
export function selectResults(
  connection: SqliteConnection,
  { sequence, after, limit, bytes }: { sequence: number; after: number; limit: number; bytes: number },
): ResultRow[] {
  let room = bytes;
  let last = after;
  for (const row of connection.all(selectLengthsSql, { sequence, after, limit })) {
    room -= Number(row.bytes);
    if (room < 0 && last > after) break;
    last = Number(row.number);
  }
  return connection.all(selectLinesSql, { sequence, after, last }).map((row) => ({
    number: number(row, 'number'),
    customId: text(row, 'custom_id'),
    requestId: text(row, 'request_id'),
    result: text<ItemState>(row, 'state'),
    line: nullableText(row, 'line'),
  }));
}
