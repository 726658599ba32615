import type { Receipt } from '../../../ledger/entry.ts';
import type { UsageGrouping, UsageQuestion, UsageSum } from '../../../ledger/ledger-store.ts';
import type { Connection, Row } from '../connection.ts';

export const HOUR_MS = 3_600_000;

export type ChargedRequest = { accountId: string; at: number; receipt: Receipt; microcredits: number };

/** Adds a request to the sums of its hour. */
export function addToHour(
  connection: Connection,
  { accountId, at, receipt, microcredits }: ChargedRequest,
): void {
  const { keyId, model, tokens } = receipt;
  const hour = Math.floor(at / HOUR_MS);
  const { input, cachedInput, output } = tokens;
  connection.run(add, { accountId, keyId, hour, model, input, cachedInput, output, microcredits });
}

/** What a key has spent between two times on the hour. */
export function selectSpent(
  connection: Connection,
  { accountId, keyId, ...times }: { accountId: string; keyId: string; startsAt: number; endsAt: number },
): number {
  const hours = { from: times.startsAt / HOUR_MS, to: times.endsAt / HOUR_MS };
  return Number(connection.first(sumOfKey, { accountId, keyId, ...hours })?.microcredits ?? 0);
}

export function selectUsage(connection: Connection, { accountId, from, to, by }: UsageQuestion): UsageSum[] {
  const hours = { from: Math.ceil(from / HOUR_MS), to: Math.ceil(to / HOUR_MS) };
  return connection.all(sums[by], { accountId, ...hours }).map(sumOf);
}

export const selectSpentByKey = (connection: Connection, accountId: string): [string, number][] =>
  connection
    .all(sumByKey, { accountId })
    .map(({ key_id, microcredits }) => [String(key_id), Number(microcredits)]);

const add = `
  INSERT INTO usage_hour
    (account_id, key_id, hour, model, requests, input_tokens, cached_input_tokens, output_tokens, microcredits)
  VALUES ($accountId, $keyId, $hour, $model, 1, $input, $cachedInput, $output, $microcredits)
  ON CONFLICT DO UPDATE SET
    requests = requests + 1,
    input_tokens = input_tokens + $input,
    cached_input_tokens = cached_input_tokens + $cachedInput,
    output_tokens = output_tokens + $output,
    microcredits = microcredits + $microcredits`;

const sumOfKey = `
  SELECT SUM(microcredits) AS microcredits FROM usage_hour
  WHERE account_id = $accountId AND key_id = $keyId AND hour >= $from AND hour < $to`;

const sumByKey = `
  SELECT key_id, SUM(microcredits) AS microcredits FROM usage_hour WHERE account_id = $accountId GROUP BY key_id`;

const sumsBy = (group: string): string => `
  SELECT ${group} AS name, SUM(requests) AS requests, SUM(input_tokens) AS input_tokens,
    SUM(cached_input_tokens) AS cached_input_tokens, SUM(output_tokens) AS output_tokens,
    SUM(microcredits) AS microcredits
  FROM usage_hour WHERE account_id = $accountId AND hour >= $from AND hour < $to
  GROUP BY name ORDER BY name`;

const sums: Record<UsageGrouping, string> = {
  model: sumsBy('model'),
  key: sumsBy('key_id'),
  day: sumsBy("date(hour * 3600, 'unixepoch')"),
};

const sumOf = (row: Row): UsageSum => ({
  group: String(row.name),
  requests: Number(row.requests),
  inputTokens: Number(row.input_tokens),
  cachedInputTokens: Number(row.cached_input_tokens),
  outputTokens: Number(row.output_tokens),
  microcredits: Number(row.microcredits),
});
