/**
 * Measures the usage pages over the roll-ups of 10 million ledger entries of one account, on both stores. Run
 * by hand: `node scripts/run.mjs bench/scale/usage-pages.ts`. An argument changes the number of entries.
 */
import { reportUsage } from '../../src/console/dashboard/report-usage.ts';
import type { UsageQuery } from '../../src/console/dashboard/usage-schema.ts';
import { readUsageSpan } from '../../src/console/dashboard/usage-span.ts';
import { PostgresUsage } from '../../src/store/postgres/operation/postgres-usage.ts';
import type { UsageStore } from '../../src/watch/requests/usage-store.ts';
import { AnswerTimes } from './answer-times.ts';
import { numbers, onFilledPostgres, onFilledSqlite } from './on-filled-stores.ts';

const ENTRIES = Number(process.argv[2] ?? 10_000_000);
const DAYS = 365;
const now = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const today = now / 86_400_000;
const accountId = 'acct_large';

/** 12 keys and 8 models, of which three in ten pairs are used in an hour. */
const HOURS = DAYS * 24;
const KEYS = 12;
const MODELS = 8;
const PAIRS = KEYS * MODELS;
const each = Math.max(1, Math.round(ENTRIES / (HOURS * PAIRS * 0.3)));

/** The statements that fill the roll-ups, in the words of either store. */
function fillings(isPostgres: boolean): string[] {
  const given = [
    numbers('h', HOURS, isPostgres),
    numbers('k', KEYS, isPostgres),
    numbers('m', MODELS, isPostgres),
  ];
  const used = '(h.i * 7 + k.i * 13 + m.i * 31) % 10 < 3';
  const figures = `${each}, ${each} * 2500, ${each} * 1500, ${each} * 400, ${each} * 900000`;
  const rows = (rest: string) => `WITH ${isPostgres ? '' : 'RECURSIVE '}${given.join(', ')}${rest}`;
  const first = today * 24 - HOURS;
  return [
    `INSERT INTO usage_hour ${rows(` SELECT '${accountId}', ${first} + h.i, 'key_' || k.i, 'model-' || m.i, ${figures}
      FROM h, k, m WHERE ${used}`)}`,
    `INSERT INTO usage_day SELECT account_id, hour / 24, key_id, model, sum(requests), sum(input_tokens),
      sum(cached_input_tokens), sum(output_tokens), sum(microcredits) FROM usage_hour GROUP BY 1, 2, 3, 4`,
    // 200 end users, each with two keys and a model, and errors of three codes.
    `INSERT INTO request_hour ${rows(`, ${numbers('u', 200, isPostgres)}
      SELECT '${accountId}', ${first} + h.i, 'user-' || u.i, 'key_' || (u.i % ${KEYS}), 'model-' || (u.i % ${MODELS}),
        CASE WHEN (h.i + u.i) % 30 = 0 THEN 'rate_limit_exceeded' ELSE '' END, 3, (h.i + u.i) % 2, 7500, 4500, 1200, 2700000
      FROM h, u WHERE h.i >= ${HOURS - 35 * 24} AND (h.i * 3 + u.i * 7) % 10 < 3`)}`,
    `INSERT INTO request_day ${rows(`, ${numbers('u', 200, isPostgres)}
      SELECT '${accountId}', ${today - DAYS} + h.i, 'user-' || u.i, 'key_' || (u.i % ${KEYS}), 'model-' || (u.i % ${MODELS}),
        CASE WHEN k.i = 0 THEN '' ELSE 'rate_limit_exceeded' END, 30, k.i, 75000, 45000, 12000, 27000000
      FROM h, u, k WHERE h.i < ${DAYS} AND k.i < 2`)}`,
  ];
}

const iso = (days: number): string => new Date(now - days * 86_400_000).toISOString();

const questions: Readonly<Record<string, UsageQuery>> = {
  '24 hours by model': { step: 'hour', from: iso(1), by: 'model' },
  '14 days by hour and key': { step: 'hour', from: iso(14), by: 'key' },
  '14 days by hour and user': { step: 'hour', from: iso(14), by: 'user', metric: 'requests' },
  '30 days by model': { from: iso(30) },
  '90 days by key': { from: iso(90), by: 'key', metric: 'tokens' },
  '365 days by model': { from: iso(365) },
  '90 days by user': { from: iso(90), by: 'user' },
  '365 days of one key, errors': { from: iso(365), key: 'key_3', metric: 'errors' },
};

const times = new AnswerTimes();

async function measure(store: string, usage: UsageStore): Promise<void> {
  for (const [question, query] of Object.entries(questions)) {
    const span = readUsageSpan({ ...query, to: new Date(now).toISOString() }, now);
    if (!('step' in span)) throw new Error(span.message);
    await times.time(store, question, async () => {
      const { totals } = await reportUsage({ usage, accountId, now }, span);
      return totals;
    });
  }
}

await onFilledSqlite(fillings, ({ usage }) => measure('embedded', usage));
await onFilledPostgres(fillings, (database) => measure('Postgres', new PostgresUsage(database)));
process.exit(times.conclude());
