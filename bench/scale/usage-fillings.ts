import { type Fillings, numbers } from './on-filled-stores.ts';

const DAYS = 365;
const HOURS = DAYS * 24;
/** The requests by user and error are kept by hour for this long, and by day for a year. */
const REQUEST_HOURS = 35 * 24;
const KEYS = 12;
const MODELS = 8;
/** The share of the pairs of a key and a model that are used in an hour. */
const USED_SHARE = 0.3;
const USERS = 200;

/** A filling of the usage of one account until `today`, with about this many ledger entries. */
type UsageFilling = { entries: number; accountId: string; today: number };

/** Returns the statements that fill the roll-ups of the usage. */
export function usageFillings({ entries, accountId, today }: UsageFilling): Fillings {
  const each = Math.max(1, Math.round(entries / (HOURS * KEYS * MODELS * USED_SHARE)));
  const figures = `${each}, ${each} * 2500, ${each} * 1500, ${each} * 400, ${each} * 900000`;
  const firstHour = today * 24 - HOURS;
  const firstDay = today - DAYS;
  return (isPostgres) => {
    const shared = [numbers('h', HOURS, isPostgres), numbers('k', KEYS, isPostgres)];
    const rowsOf = (source: string, query: string) =>
      `WITH ${isPostgres ? '' : 'RECURSIVE '}${[...shared, source].join(', ')} ${query}`;
    const ofModels = (query: string) => rowsOf(numbers('m', MODELS, isPostgres), query);
    const ofUsers = (query: string) => rowsOf(numbers('u', USERS, isPostgres), query);
    return [
      `INSERT INTO usage_hour ${ofModels(`
        SELECT '${accountId}', ${firstHour} + h.i, 'key_' || k.i, 'model-' || m.i, ${figures}
        FROM h, k, m WHERE (h.i * 7 + k.i * 13 + m.i * 31) % 10 < ${USED_SHARE * 10}`)}`,
      `INSERT INTO usage_day SELECT account_id, hour / 24, key_id, model, sum(requests), sum(input_tokens),
        sum(cached_input_tokens), sum(output_tokens), sum(microcredits) FROM usage_hour GROUP BY 1, 2, 3, 4`,
      // Each user has a key and a model, and requests with and without an error.
      `INSERT INTO request_hour ${ofUsers(`
        SELECT '${accountId}', ${firstHour} + h.i, 'user-' || u.i, 'key_' || (u.i % ${KEYS}),
          'model-' || (u.i % ${MODELS}), CASE WHEN (h.i + u.i) % 30 = 0 THEN 'rate_limit_exceeded' ELSE '' END,
          3, (h.i + u.i) % 2, 7500, 4500, 1200, 2700000
        FROM h, u WHERE h.i >= ${HOURS - REQUEST_HOURS} AND (h.i * 3 + u.i * 7) % 10 < 3`)}`,
      `INSERT INTO request_day ${ofUsers(`
        SELECT '${accountId}', ${firstDay} + h.i, 'user-' || u.i, 'key_' || (u.i % ${KEYS}),
          'model-' || (u.i % ${MODELS}), CASE WHEN k.i = 0 THEN '' ELSE 'rate_limit_exceeded' END,
          30, k.i, 75000, 45000, 12000, 27000000
        FROM h, u, k WHERE h.i < ${DAYS} AND k.i < 2`)}`,
    ];
  };
}
