import type { Queries } from '../queries.ts';

/** Rows that are out of order while the row before them and the row after them are in order. */
const selectUnorderedSql = `
  SELECT number, before, after FROM (
    SELECT number, lag(number, 1, $2::bigint) OVER chain AS before, lead(number) OVER chain AS after
    FROM entry WHERE account_id = $1 WINDOW chain AS (ORDER BY sequence)
  ) places
  WHERE (number <= before OR number >= after) AND (after IS NULL OR before < after)`;

/** The last row of an account gets the first free one of this many numbers after the row before it. */
const MAX_NUMBERS_TRIED = 10_000;

const takeFreeNumberSql = `
  UPDATE entry SET number = free.candidate FROM (
    SELECT candidate FROM
      generate_series($2::bigint + 1, CASE WHEN $3 > 0 THEN $3 ELSE $2 + ${MAX_NUMBERS_TRIED} END - 1) AS candidate
    WHERE NOT EXISTS (SELECT 1 FROM entry taken WHERE taken.number = candidate) LIMIT 1
  ) free
  WHERE entry.number = $1`;

/**
 * Gives a row whose number is out of order the first free number in its place.
 * Without a free one the entry counts as damaged.
 */
export async function renumberEntries(queries: Queries, accountId: string, archived: number): Promise<void> {
  for (const { number, before, after } of await queries.all(selectUnorderedSql, [accountId, archived]))
    await queries.run(takeFreeNumberSql, [Number(number), Number(before), Number(after ?? 0)]);
}
