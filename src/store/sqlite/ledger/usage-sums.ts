import { DAY_MS } from '../../../base/lib/units.ts';
import type { UsageGrouping, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import { HOURS_OF_DAY, summedSpan } from '../../summed-span.ts';
import { USAGE_FIGURES, usageSumOfRow } from '../../usage-rows.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

/** The usage of one hour, key and model. */
export type UsageOfHour = {
  keyId: string;
  model: string;
  hour: number;
  requests: number;
  input: number;
  cachedInput: number;
  output: number;
  microcredits: number;
};

const addTo = (table: string, time: string): string => `
  INSERT INTO ${table}
    (account_id, ${time}, key_id, model, requests, input_tokens, cached_input_tokens, output_tokens, microcredits)
  VALUES ($accountId, $time, $keyId, $model, $requests, $input, $cachedInput, $output, $microcredits)
  ON CONFLICT DO UPDATE SET
    requests = requests + $requests,
    input_tokens = input_tokens + $input,
    cached_input_tokens = cached_input_tokens + $cachedInput,
    output_tokens = output_tokens + $output,
    microcredits = microcredits + $microcredits`;

const addToHour = addTo('usage_hour', 'hour');
const addToDay = addTo('usage_day', 'day');
const FIGURES = USAGE_FIGURES.join(', ');

/** The first day's hours, then whole days, then the last day's hours. */
const sumsBy = (group: string): string => `
  SELECT ${group} AS name, ${USAGE_FIGURES.map((figure) => `SUM(${figure}) AS ${figure}`).join(', ')}
  FROM (
    SELECT key_id, model, hour / 24 AS day, ${FIGURES} FROM usage_hour
    WHERE account_id = $accountId AND hour >= $from AND hour < $firstEnds
    UNION ALL
    SELECT key_id, model, day, ${FIGURES} FROM usage_day
    WHERE account_id = $accountId AND day >= $fromDay AND day < $toDay
    UNION ALL
    SELECT key_id, model, hour / 24 AS day, ${FIGURES} FROM usage_hour
    WHERE account_id = $accountId AND hour >= $lastStarts AND hour < $to
  )
  GROUP BY name ORDER BY name`;

const sums: Record<UsageGrouping, string> = {
  model: sumsBy('model'),
  key: sumsBy('key_id'),
  day: sumsBy("date(day * 86400, 'unixepoch')"),
};

/** Adds to the sums of the hour and its day. */
export function addUsage(
  connection: SqliteConnection,
  accountId: string,
  { hour, ...sums }: UsageOfHour,
): void {
  connection.run(addToHour, { ...sums, accountId, time: hour });
  connection.run(addToDay, { ...sums, accountId, time: Math.floor(hour / HOURS_OF_DAY) });
}

const sumOfKeySql = `
  SELECT SUM(microcredits) AS microcredits FROM usage_day
  WHERE account_id = $accountId AND day >= $from AND day < $to AND key_id = $keyId`;

/** Returns the amount charged on a key in whole days. */
export function selectSpent(
  connection: SqliteConnection,
  { accountId, keyId, ...times }: { accountId: string; keyId: string; startsAt: number; endsAt: number },
): number {
  const days = { from: times.startsAt / DAY_MS, to: times.endsAt / DAY_MS };
  return Number(connection.first(sumOfKeySql, { accountId, keyId, ...days })?.microcredits ?? 0);
}

/** Sums a span from the daily roll-ups for whole days, and from the hourly ones before and after. */
export function selectUsage(
  connection: SqliteConnection,
  { accountId, from, to, by }: UsageQuestion,
): UsageSum[] {
  const { hours, days, firstEnds, lastStarts } = summedSpan({ from, to });
  const span = { ...hours, fromDay: days.from, toDay: days.to, firstEnds, lastStarts };
  return connection.all(sums[by], { accountId, ...span }).map(usageSumOfRow);
}

const sumByKeyIn = (table: string): string =>
  `SELECT key_id, SUM(microcredits) AS microcredits FROM ${table} WHERE account_id = $accountId GROUP BY key_id`;
const sumByKey = { usage_hour: sumByKeyIn('usage_hour'), usage_day: sumByKeyIn('usage_day') };

/** The total amount spent by each key, according to each kind of roll-up. */
export const selectSpentByKey = (
  connection: SqliteConnection,
  { accountId, table }: { accountId: string; table: 'usage_hour' | 'usage_day' },
): [string, number][] =>
  connection
    .all(sumByKey[table], { accountId })
    .map(({ key_id, microcredits }) => [String(key_id), Number(microcredits)]);
