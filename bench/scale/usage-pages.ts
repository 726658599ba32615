/**
 * Measures the usage pages over the roll-ups of 10 million ledger entries of one account, on both stores. Run
 * by hand: `node scripts/run.mjs bench/scale/usage-pages.ts`. An argument changes the number of entries.
 */
import { isoTime } from '../../src/base/lib/iso-time.ts';
import { DAY_MS } from '../../src/base/lib/units.ts';
import { reportUsage } from '../../src/console/dashboard/report-usage.ts';
import type { UsageQuery } from '../../src/console/dashboard/usage-schema.ts';
import { readUsageSpan } from '../../src/console/dashboard/usage-span.ts';
import { PostgresUsage } from '../../src/store/postgres/operation/postgres-usage.ts';
import type { UsageStore } from '../../src/watch/requests/usage-store.ts';
import { AnswerTimes } from './answer-times.ts';
import { onFilledPostgres, onFilledSqlite } from './on-filled-stores.ts';
import { usageFillings } from './usage-fillings.ts';

const entries = Number(process.argv[2] ?? 10_000_000);
const today = Math.floor(Date.now() / DAY_MS);
const now = today * DAY_MS;
const accountId = 'acct_large';

/** Returns the time of some days ago. */
const daysAgo = (days: number): string => isoTime(now - days * DAY_MS);

const questions: Readonly<Record<string, UsageQuery>> = {
  '24 hours by model': { step: 'hour', from: daysAgo(1), by: 'model' },
  '14 days by hour and key': { step: 'hour', from: daysAgo(14), by: 'key' },
  '14 days by hour and user': { step: 'hour', from: daysAgo(14), by: 'user', metric: 'requests' },
  '30 days by model': { from: daysAgo(30) },
  '90 days by key': { from: daysAgo(90), by: 'key', metric: 'tokens' },
  '365 days by model': { from: daysAgo(365) },
  '90 days by user': { from: daysAgo(90), by: 'user' },
  '365 days of one key, errors': { from: daysAgo(365), key: 'key_3', metric: 'errors' },
};

const times = new AnswerTimes();

async function measure(store: string, usage: UsageStore): Promise<void> {
  for (const [question, query] of Object.entries(questions)) {
    const span = readUsageSpan({ ...query, to: isoTime(now) }, now);
    if (!('step' in span)) throw new Error(span.message);
    await times.time(store, question, async () => {
      const { totals } = await reportUsage({ usage, accountId, now }, span);
      return totals;
    });
  }
}

const fillings = usageFillings({ entries, accountId, today });
await onFilledSqlite(fillings, ({ usage }) => measure('embedded', usage));
await onFilledPostgres(fillings, (database) => measure('Postgres', new PostgresUsage(database)));
process.exit(times.conclude());
