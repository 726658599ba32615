import type { UsageGrouping, UsageQuestion, UsageSum } from '../../../money/ledger/ledger-store.ts';
import { summedSpan } from '../../summed-span.ts';
import { USAGE_FIGURES, usageSumOfRow } from '../../usage-rows.ts';
import type { Queries } from '../queries.ts';

const FIGURES = USAGE_FIGURES.join(', ');

/** The first day's hours, then whole days, then the last day's hours, then what no roll-up has. */
const sumsBy = (group: string): string => `
  SELECT ${group} AS name, ${USAGE_FIGURES.map((figure) => `sum(${figure})::bigint AS ${figure}`).join(', ')}
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

/**
 * Sums a span from the daily roll-ups for whole days, from the hourly ones before and after, and from the
 * entries that no roll-up has yet. One statement reads all of them, so no entry is missed or counted twice.
 */
export async function sumPostgresUsage(
  queries: Queries,
  { accountId, from, to, by }: UsageQuestion,
): Promise<UsageSum[]> {
  const { hours, days, firstEnds, lastStarts } = summedSpan({ from, to });
  const values = [accountId, hours.from, hours.to, days.from, days.to, firstEnds, lastStarts];
  return (await queries.all(sums[by], values)).map(usageSumOfRow);
}
