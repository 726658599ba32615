/**
 * Measures the answers about traffic over the sums of 10 million requests of a year, on both stores. Run by
 * hand: `node scripts/run.mjs bench/scale/traffic-pages.ts`.
 * Arguments: the number of requests, and a text that names the questions.
 */
import { PostgresQueries } from '../../src/store/postgres/postgres-queries.ts';
import { StoredTraffic } from '../../src/store/traffic.ts';
import { type TrafficInquiry, TrafficReport } from '../../src/watch/traffic/traffic-report.ts';
import type { TrafficStore } from '../../src/watch/traffic/traffic-store.ts';
import { numbers, onFilledPostgres, onFilledSqlite } from './on-filled-stores.ts';

const REQUESTS = Number(process.argv[2] ?? 10_000_000);
const WANTED = process.argv[3] ?? '';
const DAY_MS = 86_400_000;
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const today = now / DAY_MS;
const TIMES = 5;
const LIMIT_MS = 300;

/** 800 keys of 500 accounts on two nodes. A key has two of twelve models, and is used on every second day. */
const DAYS = 365;
const [ACCOUNTS, KEYS, MODELS, NODES] = [500, 800, 12, 2];
const each = Math.max(1, Math.round(REQUESTS / (DAYS * KEYS * NODES)));

const FIGURES = `requests, errors, refused, attempts, failed_attempts, input_tokens, cached_input_tokens, output_tokens,
  spend, revenue, latency, first_token`;
const SUMS = `SUM(requests), SUM(errors), SUM(refused), SUM(attempts), SUM(failed_attempts), SUM(input_tokens),
  SUM(cached_input_tokens), SUM(output_tokens), SUM(spend), SUM(revenue)`;
const PLACE = 'account_id, key_id, provider, model, status, source, node';

/** Returns the durations of a row: about as many buckets as the requests of a day have. */
const buckets = (seed: string) =>
  Array.from(
    { length: Math.min(each, 12) },
    (_, index) => `(${90 + index * 3} + (${seed}) % 3) || ' 2'`,
  ).join(` || ' ' || `);

/** Returns the statements that fill one step, in the words of either store. */
function fillings(
  step: number,
  { count, share, isPostgres }: { count: number; share: number; isPostgres: boolean },
): string[] {
  const first = step === 2 ? today - DAYS : step === 1 ? today * 24 - count : today * 1_440 - count;
  const given = [
    numbers('t', count, isPostgres),
    numbers('k', KEYS, isPostgres),
    numbers('m', 2, isPostgres),
    numbers('n', NODES, isPostgres),
  ];
  const model = `(k.i * 5 + m.i * 7) % ${MODELS}`;
  const requests = Math.max(1, Math.round(each * share));
  const details = `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    WITH ${isPostgres ? '' : 'RECURSIVE '}${given.join(', ')}
    SELECT ${step}, 2, ${first} + t.i, 'acct_' || (k.i % ${ACCOUNTS}), 'key_' || k.i, 'provider-' || (${model} % 4),
      'model-' || (${model}), CASE WHEN (t.i + k.i) % 8 = 0 THEN '4xx' ELSE '2xx' END, 'api', 'node_' || n.i, 1,
      ${requests}, 0, 0, ${requests}, 0, ${requests} * 2500, ${requests} * 1500, ${requests} * 400, ${requests} * 700000,
      ${requests} * 900000, ${buckets('t.i + k.i')}, ${buckets('k.i')}
    FROM t, k, m, n WHERE (t.i * 7 + k.i * 3) % ${Math.round(2 / share)} = 0`;
  // A row of the whole has the durations of many requests in the same buckets.
  const durations = Array.from({ length: 40 }, (_, index) => `${80 + index} ${97 * index + 5}`).join(' ');
  const last = (number: number) =>
    number === 0 ? `'${durations}', '${durations}'` : 'MIN(latency), MIN(first_token)';
  const cut = (number: number, { place, group }: { place: string; group: string }) =>
    `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    SELECT step, ${number}, at, ${place}, 1, ${SUMS}, ${last(number)} FROM traffic WHERE step = ${step} AND cut = 2
    GROUP BY step, at, ${group}`;
  const whole = 'provider, model, status, source, node';
  const accounts = 'account_id, key_id, node';
  return [
    details,
    cut(0, { place: `'', '', ${whole}`, group: whole }),
    ...(step === 0 ? [] : [cut(1, { place: "account_id, key_id, '', '', '', '', node", group: accounts })]),
  ];
}

const all = (isPostgres: boolean): string[] => [
  ...fillings(2, { count: DAYS, share: 1, isPostgres }),
  ...fillings(1, { count: 35 * 24, share: 0.2, isPostgres }),
  ...fillings(0, { count: 2 * 1_440, share: 0.01, isPostgres }),
];

const questions: Readonly<Record<string, [days: number, Partial<TrafficInquiry>]>> = {
  'an hour': [1 / 24, {}],
  'a day by model': [1, { groupBy: 'model' }],
  'a day by account': [1, { groupBy: 'account' }],
  '30 days by provider': [30, { groupBy: 'provider' }],
  '30 days by account': [30, { groupBy: 'account' }],
  '90 days by account': [90, { groupBy: 'account' }],
  'a year': [365, {}],
  'a year by model': [365, { groupBy: 'model' }],
  'a year by node': [365, { groupBy: 'node' }],
  'a year by account': [365, { groupBy: 'account' }],
  'a year by key': [365, { groupBy: 'key' }],
  'a year by account, of a model': [365, { groupBy: 'account', where: { model: 'model-3' } }],
  'a year by account, of a node': [365, { groupBy: 'account', where: { node: 'node_1' } }],
  'a year by account, of a provider': [365, { groupBy: 'account', where: { provider: 'provider-2' } }],
  'a year by account, of status 2xx': [365, { groupBy: 'account', where: { status: '2xx' } }],
  'a year by account, of status 4xx': [365, { groupBy: 'account', where: { status: '4xx' } }],
  'a year by account, of the API': [365, { groupBy: 'account', where: { source: 'api' } }],
  'a year by key, of a model': [365, { groupBy: 'key', where: { model: 'model-3' } }],
  'a year by account, of a model with 4xx': [
    365,
    { groupBy: 'account', where: { model: 'model-3', status: '4xx' } },
  ],
  'a year by status, of a key': [365, { groupBy: 'status', where: { key: 'key_7' } }],
  'a year by status': [365, { groupBy: 'status' }],
  'a year by provider, of a model': [365, { groupBy: 'provider', where: { model: 'model-3' } }],
  'half a year by account, compared': [180, { groupBy: 'account', withPrevious: true }],
  'a year by model, of an account': [365, { groupBy: 'model', where: { account: 'acct_7' } }],
  'a year of a key': [365, { where: { key: 'key_7' } }],
};

async function measure(name: string, store: TrafficStore): Promise<boolean> {
  const report = new TrafficReport({ store, now: () => now });
  let isFast = true;
  for (const [title, [days, asked]] of Object.entries(questions)) {
    if (!title.includes(WANTED)) continue;
    const taken: number[] = [];
    let requests = 0;
    for (let time = 0; time < TIMES; time++) {
      const begun = performance.now();
      const inquiry = {
        from: now - days * DAY_MS,
        to: now,
        groupBy: null,
        where: {},
        withPrevious: false,
        ...asked,
      };
      const answer = await report.read(inquiry);
      if ('message' in answer) throw new Error(answer.message);
      requests = answer.totals.counts.requests;
      taken.push(performance.now() - begun);
    }
    taken.sort((one, other) => one - other);
    const [median, worst] = [taken[TIMES >> 1]!, taken.at(-1)!];
    isFast &&= median < LIMIT_MS;
    const [shown, slowest] = [median, worst].map((ms) => ms.toFixed(0).padStart(5));
    console.log(`${name.padEnd(9)} ${title.padEnd(34)} ${shown} ms (worst ${slowest}), ${requests} requests`);
  }
  return isFast;
}

/** Merges the days that have passed, as the sweeper does. */
async function merge(name: string, store: TrafficStore): Promise<void> {
  const taken: number[] = [];
  for (let begun = performance.now(); await store.mergeDays(today - 2); begun = performance.now())
    taken.push(performance.now() - begun);
  const [whole, worst] = [taken.reduce((sum, one) => sum + one, 0), Math.max(...taken)];
  console.log(
    `${name.padEnd(9)} ${taken.length} merges in ${whole.toFixed(0)} ms, the longest ${worst.toFixed(0)} ms`,
  );
}

const results = [
  await onFilledSqlite(all, async ({ traffic }) => {
    await merge('embedded', traffic);
    return measure('embedded', traffic);
  }),
  await onFilledPostgres(all, async (database) => {
    const traffic = new StoredTraffic(new PostgresQueries(database));
    await merge('Postgres', traffic);
    await database.run('ANALYZE');
    return measure('Postgres', traffic);
  }),
];
console.log(
  results.every(Boolean) ? `every answer within ${LIMIT_MS} ms` : `some answers over ${LIMIT_MS} ms`,
);
process.exit(results.every(Boolean) ? 0 : 1);
