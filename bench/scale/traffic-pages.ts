/**
 * Measures the answers about traffic over the sums of 10 million requests of a year, on both stores. Run by
 * hand: `node scripts/run.mjs bench/scale/traffic-pages.ts`.
 * Arguments: the number of requests, and a text that the questions contain.
 */
import { DAY_MS } from '../../src/base/lib/units.ts';
import { PostgresQueries } from '../../src/store/postgres/postgres-queries.ts';
import { StoredTraffic } from '../../src/store/stored-traffic.ts';
import { TrafficReport } from '../../src/watch/traffic/traffic-report.ts';
import type { TrafficStore } from '../../src/watch/traffic/traffic-store.ts';
import { AnswerTimes } from './answer-times.ts';
import { onFilledPostgres, onFilledSqlite } from './on-filled-stores.ts';
import { trafficFillings } from './traffic-fillings.ts';
import { formatQuestion, trafficQuestions } from './traffic-questions.ts';

const requests = Number(process.argv[2] ?? 10_000_000);
const wanted = process.argv[3] ?? '';
const today = Math.floor(Date.now() / DAY_MS);
const now = today * DAY_MS;
const times = new AnswerTimes();

async function measure(name: string, store: TrafficStore): Promise<void> {
  const report = new TrafficReport({ store, now: () => now });
  for (const question of trafficQuestions) {
    const text = formatQuestion(question);
    if (!text.includes(wanted)) continue;
    const { days, ...inquiry } = question;
    await times.time(name, text, async () => {
      const answer = await report.read({ ...inquiry, from: now - days * DAY_MS, to: now });
      if ('message' in answer) throw new Error(answer.message);
      return answer.totals.counts;
    });
  }
}

/** Merges the days that have passed, as the sweeper does. */
async function merge(name: string, store: TrafficStore): Promise<void> {
  const taken: number[] = [];
  for (let begun = performance.now(); await store.mergeDays(today - 2); begun = performance.now())
    taken.push(performance.now() - begun);
  const whole = taken.reduce((sum, ms) => sum + ms, 0);
  const worst = Math.max(...taken);
  console.log(
    `${name.padEnd(9)} ${taken.length} merges in ${whole.toFixed(0)} ms, the longest ${worst.toFixed(0)} ms`,
  );
}

const fillings = trafficFillings(requests, today);
await onFilledSqlite(fillings, async ({ traffic }) => {
  await merge('embedded', traffic);
  await measure('embedded', traffic);
});
await onFilledPostgres(fillings, async (database) => {
  const traffic = new StoredTraffic(new PostgresQueries(database));
  await merge('Postgres', traffic);
  await database.run('ANALYZE');
  await measure('Postgres', traffic);
});
process.exit(times.conclude());
