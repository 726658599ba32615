import { HOUR_MS } from '../../../base/lib/units.ts';
import type { UsageGrouping, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import type { PostgresRow, Queries } from '../database.ts';

const HOURS_OF_DAY = 24;

/**
 * Sums a span from the daily roll-ups for whole days, from the hourly ones before and after, and from the
 * entries that no roll-up has yet. One statement reads all of them, so no entry is missed or counted twice.
 */
export async function sumPostgresUsage(
  queries: Queries,
  { accountId, from, to, by }: UsageQuestion,
): Promise<UsageSum[]> {
  const hours = { from: Math.ceil(from / HOUR_MS), to: Math.ceil(to / HOUR_MS) };
  const fromDay = Math.ceil(hours.from / HOURS_OF_DAY);
  const toDay = Math.max(fromDay, Math.floor(hours.to / HOURS_OF_DAY));
  const firstEnds = Math.min(hours.to, fromDay * HOURS_OF_DAY);
  const lastStarts = Math.max(toDay * HOURS_OF_DAY, firstEnds);
  const values = [accountId, hours.from, hours.to, fromDay, toDay, firstEnds, lastStarts];
  return (await queries.all(sums[by], values)).map(sumOf);
}

const FIGURES = 'requests, input_tokens, cached_input_tokens, output_tokens, microcredits';

/**
 * The first day's hours, then whole days, then the last day's hours.
 * A span within one day is covered by the first part.
 */
const sumsBy = (group: string): string => `
  SELECT ${group} AS name, sum(requests)::bigint AS requests, sum(input_tokens)::bigint AS input_tokens,
    sum(cached_input_tokens)::bigint AS cached_input_tokens, sum(output_tokens)::bigint AS output_tokens,
    sum(microcredits)::bigint AS microcredits
  FROM (
    SELECT key_id, model, hour / 24 AS day, ${FIGURES} FROM usage_hour
    WHERE account_id = $1 AND hour >= $2 AND hour < $6
    UNION ALL
    SELECT key_id, model, day, ${FIGURES} FROM usage_day
    WHERE account_id = $1 AND day >= $4 AND day < $5
    UNION ALL
    SELECT key_id, model, hour / 24 AS day, ${FIGURES} FROM usage_hour
    WHERE account_id = $1 AND hour >= $7 AND hour < $3
    UNION ALL
    SELECT u.key_id, u.model, u.hour / 24, 1, u.input, u.cached_input, u.output, u.microcredits
    FROM usage_beyond_watermark($1) u WHERE u.hour >= $2 AND u.hour < $3
  ) parts
  GROUP BY 1 ORDER BY 1`;

const sums: Record<UsageGrouping, string> = {
  model: sumsBy('model'),
  key: sumsBy('key_id'),
  day: sumsBy(`to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`),
};

const sumOf = (row: PostgresRow): UsageSum => ({
  group: String(row.name),
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  cachedInputTokens: Number(row.cached_input_tokens),
  outputTokens: Number(row.output_tokens),
  microcredits: Number(row.microcredits),
});
