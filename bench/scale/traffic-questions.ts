import type { TrafficInquiry } from '../../src/watch/traffic/traffic-report.ts';

/** A question about some days until today. */
export type TrafficQuestion = Omit<TrafficInquiry, 'from' | 'to'> & { days: number };

type Grouping = TrafficInquiry['groupBy'];
type Filter = TrafficInquiry['where'];

const DAYS_OF_YEAR = 365;

const about = (days: number, groupBy: Grouping = null, where: Filter = {}): TrafficQuestion => ({
  days,
  groupBy,
  where,
  withPrevious: false,
});

const aboutYear = (groupBy: Grouping = null, where: Filter = {}): TrafficQuestion =>
  about(DAYS_OF_YEAR, groupBy, where);

/**
 * The questions of the dashboard's pages, and those that read the most rows: groups with many values, and
 * filters whose rows only the sums of each key and model have.
 */
export const trafficQuestions: readonly TrafficQuestion[] = [
  about(1 / 24),
  about(1, 'model'),
  about(1, 'account'),
  about(30, 'provider'),
  about(30, 'account'),
  about(90, 'account'),
  { ...about(180, 'account'), withPrevious: true },
  aboutYear(),
  aboutYear('model'),
  aboutYear('node'),
  aboutYear('account'),
  aboutYear('key'),
  aboutYear('status'),
  aboutYear('account', { model: 'model-3' }),
  aboutYear('account', { node: 'node_1' }),
  aboutYear('account', { provider: 'provider-2' }),
  aboutYear('account', { status: '2xx' }),
  aboutYear('account', { status: '4xx' }),
  aboutYear('account', { source: 'api' }),
  aboutYear('account', { model: 'model-3', status: '4xx' }),
  aboutYear('key', { model: 'model-3' }),
  aboutYear('status', { key: 'key_7' }),
  aboutYear('provider', { model: 'model-3' }),
  aboutYear('model', { account: 'acct_7' }),
  aboutYear(null, { key: 'key_7' }),
];

/** Formats a question, like `90 days by key, model model-3`. */
export function formatQuestion({ days, groupBy, where, withPrevious }: TrafficQuestion): string {
  const span = days < 1 ? `${days * 24} h` : `${days} days`;
  const filters = Object.entries(where).map(([column, value]) => `${column} ${value}`);
  const parts = [groupBy === null ? span : `${span} by ${groupBy}`, ...filters];
  return [...parts, ...(withPrevious ? ['compared'] : [])].join(', ');
}
