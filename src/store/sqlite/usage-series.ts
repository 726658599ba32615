import { entriesOf } from '../../base/lib/records.ts';
import type {
  ChargeSeriesRow,
  RequestSeriesRow,
  RequestSum,
  SeriesQuestion,
  UsageColumn,
} from '../../watch/requests/usage-store.ts';
import { HOURS_OF_DAY } from '../summed-span.ts';
import {
  chargeRow,
  figureIn,
  REQUEST_FIGURES,
  requestRow,
  USAGE_FIGURES,
  usageColumns,
} from '../usage-rows.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

export const selectChargeSeries = (
  connection: SqliteConnection,
  question: SeriesQuestion<'model' | 'key'>,
): ChargeSeriesRow[] =>
  select(connection, { ...question, table: 'usage', figures: USAGE_FIGURES }).map(chargeRow);

export const selectRequestSeries = (
  connection: SqliteConnection,
  question: SeriesQuestion<UsageColumn>,
): RequestSeriesRow[] =>
  select(connection, { ...question, table: 'request', figures: REQUEST_FIGURES }).map(requestRow);

type Selection = SeriesQuestion<UsageColumn> & { table: string; figures: readonly string[] };

function select(
  connection: SqliteConnection,
  { accountId, step, from, to, by, where, table, figures }: Selection,
) {
  const groups = by.map((column) => usageColumns[column]);
  const wanted = entriesOf(where);
  const sql = `
    SELECT ${[`${step} AS at`, ...groups, ...figures.map((figure) => `SUM(${figure}) AS ${figure}`)].join(', ')}
    FROM ${table}_${step}
    WHERE account_id = ? AND ${step} >= ? AND ${step} < ?
      ${wanted.map(([column]) => `AND ${usageColumns[column]} = ?`).join(' ')}
    GROUP BY ${[step, ...groups].join(', ')} ORDER BY ${[step, ...groups].join(', ')}`;
  return connection.all(sql, [accountId, from, to, ...wanted.map(([, value]) => value)]);
}

const KEY_COLUMNS = ['user', 'key_id', 'model', 'code'];
const addToHour = addTo('request_hour', 'hour');
const addToDay = addTo('request_day', 'day');

/** Adds sums. A user beyond the bound of the account's day is left out. */
export function addRequestSums(
  connection: SqliteConnection,
  sums: readonly RequestSum[],
  maxUsers: number,
): void {
  for (const sum of sums) {
    const { accountId, hour } = sum;
    const day = Math.floor(hour / HOURS_OF_DAY);
    const user = sum.user !== '' && hasRoom(connection, { accountId, day, user: sum.user }, maxUsers);
    const values = [
      user ? sum.user : '',
      sum.key,
      sum.model,
      sum.code,
      ...REQUEST_FIGURES.map((figure) => figureIn(sum, figure)),
    ];
    connection.run(addToHour, [accountId, hour, ...values]);
    connection.run(addToDay, [accountId, day, ...values]);
  }
}

const selectUserSql =
  'SELECT 1 AS found FROM request_day WHERE account_id = ? AND day = ? AND user = ? LIMIT 1';

const countUsers =
  "SELECT COUNT(DISTINCT user) AS users FROM request_day WHERE account_id = ? AND day = ? AND user <> ''";

function hasRoom(
  connection: SqliteConnection,
  { accountId, day, user }: { accountId: string; day: number; user: string },
  maxUsers: number,
): boolean {
  if (connection.first(selectUserSql, [accountId, day, user])) return true;
  return Number(connection.first(countUsers, [accountId, day])?.users) < maxUsers;
}

const removeFrom = (table: string, time: string): string => `
  DELETE FROM ${table} WHERE (account_id, ${time}, ${KEY_COLUMNS.join(', ')}) IN (
    SELECT account_id, ${time}, ${KEY_COLUMNS.join(', ')}
    FROM ${table} INDEXED BY ${table}_by_time WHERE ${time} < ? LIMIT ?)`;

const removeHours = removeFrom('request_hour', 'hour');
const removeDays = removeFrom('request_day', 'day');

export function sweepRequestSums(
  connection: SqliteConnection,
  { hoursBefore, daysBefore, limit }: { hoursBefore: number; daysBefore: number; limit: number },
): number {
  return connection.run(removeHours, [hoursBefore, limit]) + connection.run(removeDays, [daysBefore, limit]);
}

function addTo(table: string, time: string): string {
  const columns = ['account_id', time, ...KEY_COLUMNS, ...REQUEST_FIGURES];
  const places = columns.map(() => '?');
  const added = REQUEST_FIGURES.map((figure) => `${figure} = ${figure} + excluded.${figure}`);
  return `
    INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})
    ON CONFLICT DO UPDATE SET ${added.join(', ')}`;
}
