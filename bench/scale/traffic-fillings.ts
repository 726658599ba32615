import { trafficCuts } from '../../src/watch/traffic/traffic-cut.ts';
import { type TrafficStep, trafficSteps } from '../../src/watch/traffic/traffic-step.ts';
import { type Fillings, numbers } from './on-filled-stores.ts';

const DAYS = 365;
const ACCOUNTS = 500;
const KEYS = 800;
const MODELS = 12;
const MODELS_OF_KEY = 2;
const PROVIDERS = 4;
const NODES = 2;
/** The buckets of durations in the row of one key, and in the row of all accounts. */
const MAX_BUCKETS_OF_KEY = 12;
const BUCKETS_OF_ALL = 40;

const PLACE = 'account_id, key_id, provider, model, status, source, node';
const FIGURES = `requests, errors, refused, attempts, failed_attempts, input_tokens, cached_input_tokens, output_tokens,
  spend, revenue, latency, first_token`;
const SUMS = `SUM(requests), SUM(errors), SUM(refused), SUM(attempts), SUM(failed_attempts), SUM(input_tokens),
  SUM(cached_input_tokens), SUM(output_tokens), SUM(spend), SUM(revenue)`;

/**
 * The rows of a step: `count` minutes, hours or days from `first` on.
 * `share` is the part of a day's requests.
 */
type StepRows = { step: TrafficStep; first: number; count: number; share: number };

/** Returns the statements that fill the sums of a year until `today`, with about this many requests. */
export function trafficFillings(requests: number, today: number): Fillings {
  const requestsOfDay = Math.max(1, Math.round(requests / (DAYS * KEYS * NODES)));
  const untilToday = (step: TrafficStep, days: number, share: number): StepRows => {
    const perDay = trafficSteps.day.ms / trafficSteps[step].ms;
    return { step, first: (today - days) * perDay, count: days * perDay, share };
  };
  const steps = [untilToday('day', DAYS, 1), untilToday('hour', 35, 0.2), untilToday('minute', 2, 0.01)];
  return (isPostgres) =>
    steps.flatMap((rows) => [
      fillDetails(rows, requestsOfDay, isPostgres),
      fillWhole(rows),
      ...(rows.step === 'minute' ? [] : [fillAccounts(rows)]),
    ]);
}

/** Fills the rows of each key, model and node. A key is used on every second day. */
function fillDetails({ step, first, count, share }: StepRows, ofDay: number, isPostgres: boolean): string {
  const sources = [
    numbers('t', count, isPostgres),
    numbers('k', KEYS, isPostgres),
    numbers('m', MODELS_OF_KEY, isPostgres),
    numbers('n', NODES, isPostgres),
  ];
  const model = `(k.i * 5 + m.i * 7) % ${MODELS}`;
  const requests = Math.max(1, Math.round(ofDay * share));
  return `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    WITH ${isPostgres ? '' : 'RECURSIVE '}${sources.join(', ')}
    SELECT ${trafficSteps[step].number}, ${trafficCuts.details}, ${first} + t.i, 'acct_' || (k.i % ${ACCOUNTS}),
      'key_' || k.i, 'provider-' || (${model} % ${PROVIDERS}), 'model-' || (${model}),
      CASE WHEN (t.i + k.i) % 8 = 0 THEN '4xx' ELSE '2xx' END, 'api', 'node_' || n.i, 1,
      ${requests}, 0, 0, ${requests}, 0, ${requests} * 2500, ${requests} * 1500, ${requests} * 400, ${requests} * 700000,
      ${requests} * 900000, ${durations('t.i + k.i', ofDay)}, ${durations('k.i', ofDay)}
    FROM t, k, m, n WHERE (t.i * 7 + k.i * 3) % ${Math.round(2 / share)} = 0`;
}

/** Returns the durations of a row: about as many buckets as the requests of a day have. */
const durations = (seed: string, ofDay: number): string =>
  Array.from(
    { length: Math.min(ofDay, MAX_BUCKETS_OF_KEY) },
    (_, index) => `(${90 + index * 3} + (${seed}) % 3) || ' 2'`,
  ).join(` || ' ' || `);

/** Fills the sums of all accounts. Such a row has the durations of many requests in the same buckets. */
function fillWhole({ step }: StepRows): string {
  const group = 'provider, model, status, source, node';
  const buckets = Array.from({ length: BUCKETS_OF_ALL }, (_, index) => `${80 + index} ${97 * index + 5}`);
  const many = `'${buckets.join(' ')}'`;
  return fillSums(step, 'whole', { place: `'', '', ${group}`, group, durations: `${many}, ${many}` });
}

/** Fills the sums of each account and key. */
const fillAccounts = ({ step }: StepRows): string =>
  fillSums(step, 'accounts', {
    place: "account_id, key_id, '', '', '', '', node",
    group: 'account_id, key_id, node',
    durations: 'MIN(latency), MIN(first_token)',
  });

type Grouping = { place: string; group: string; durations: string };

/** Sums the rows of the details in a smaller cut. */
const fillSums = (step: TrafficStep, cut: 'whole' | 'accounts', grouping: Grouping): string =>
  `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    SELECT step, ${trafficCuts[cut]}, at, ${grouping.place}, 1, ${SUMS}, ${grouping.durations} FROM traffic
    WHERE step = ${trafficSteps[step].number} AND cut = ${trafficCuts.details} GROUP BY step, at, ${grouping.group}`;
