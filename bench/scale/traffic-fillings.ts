import { type Fillings, numbers } from './on-filled-stores.ts';

/** 800 keys of 500 accounts on two nodes. A key has two of twelve models, and is used on every second day. */
const DAYS = 365;
const [ACCOUNTS, KEYS, MODELS, NODES] = [500, 800, 12, 2];

const PLACE = 'account_id, key_id, provider, model, status, source, node';
const FIGURES = `requests, errors, refused, attempts, failed_attempts, input_tokens, cached_input_tokens, output_tokens,
  spend, revenue, latency, first_token`;
const SUMS = `SUM(requests), SUM(errors), SUM(refused), SUM(attempts), SUM(failed_attempts), SUM(input_tokens),
  SUM(cached_input_tokens), SUM(output_tokens), SUM(spend), SUM(revenue)`;

/** A step of the sums: minutes (0), hours (1) or days (2). A row has a `share` of the requests of a day. */
type Step = { step: 0 | 1 | 2; first: number; count: number; share: number };

/** Returns the statements that fill the sums of a year until `today`, with about this many requests. */
export function trafficFillings(requests: number, today: number): Fillings {
  const each = Math.max(1, Math.round(requests / (DAYS * KEYS * NODES)));
  const [hours, minutes] = [35 * 24, 2 * 1_440];
  const steps: readonly Step[] = [
    { step: 2, first: today - DAYS, count: DAYS, share: 1 },
    { step: 1, first: today * 24 - hours, count: hours, share: 0.2 },
    { step: 0, first: today * 1_440 - minutes, count: minutes, share: 0.01 },
  ];
  return (isPostgres) =>
    steps.flatMap((step) => [
      details(step, each, isPostgres),
      wholeOf(step),
      ...(step.step === 0 ? [] : [accountsOf(step)]),
    ]);
}

/** The rows of each key, model and node. */
function details({ step, first, count, share }: Step, each: number, isPostgres: boolean): string {
  const given = [
    numbers('t', count, isPostgres),
    numbers('k', KEYS, isPostgres),
    numbers('m', 2, isPostgres),
    numbers('n', NODES, isPostgres),
  ];
  const model = `(k.i * 5 + m.i * 7) % ${MODELS}`;
  const requests = Math.max(1, Math.round(each * share));
  return `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    WITH ${isPostgres ? '' : 'RECURSIVE '}${given.join(', ')}
    SELECT ${step}, 2, ${first} + t.i, 'acct_' || (k.i % ${ACCOUNTS}), 'key_' || k.i, 'provider-' || (${model} % 4),
      'model-' || (${model}), CASE WHEN (t.i + k.i) % 8 = 0 THEN '4xx' ELSE '2xx' END, 'api', 'node_' || n.i, 1,
      ${requests}, 0, 0, ${requests}, 0, ${requests} * 2500, ${requests} * 1500, ${requests} * 400, ${requests} * 700000,
      ${requests} * 900000, ${durations('t.i + k.i', each)}, ${durations('k.i', each)}
    FROM t, k, m, n WHERE (t.i * 7 + k.i * 3) % ${Math.round(2 / share)} = 0`;
}

/** The durations of a row: about as many buckets as the requests of a day have. */
const durations = (seed: string, each: number): string =>
  Array.from(
    { length: Math.min(each, 12) },
    (_, index) => `(${90 + index * 3} + (${seed}) % 3) || ' 2'`,
  ).join(` || ' ' || `);

/** The sums of all accounts. Such a row has the durations of many requests in the same buckets. */
function wholeOf({ step }: Step): string {
  const group = 'provider, model, status, source, node';
  const many = Array.from({ length: 40 }, (_, index) => `${80 + index} ${97 * index + 5}`).join(' ');
  return sumsOf(step, 0, { place: `'', '', ${group}`, group, kept: `'${many}', '${many}'` });
}

/** The sums of each account and key. */
const accountsOf = ({ step }: Step): string =>
  sumsOf(step, 1, {
    place: "account_id, key_id, '', '', '', '', node",
    group: 'account_id, key_id, node',
    kept: 'MIN(latency), MIN(first_token)',
  });

const sumsOf = (
  step: number,
  cut: number,
  { place, group, kept }: { place: string; group: string; kept: string },
): string =>
  `INSERT INTO traffic (step, cut, at, ${PLACE}, part, ${FIGURES})
    SELECT step, ${cut}, at, ${place}, 1, ${SUMS}, ${kept} FROM traffic WHERE step = ${step} AND cut = 2
    GROUP BY step, at, ${group}`;
