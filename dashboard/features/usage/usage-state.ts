import { DAY_MS } from '../../../src/base/lib/units.ts';
import type {
  ReportGrouping,
  UsageMetric,
  UsageReport,
} from '../../../src/console/dashboard/usage-schema.ts';
import { queryValue, withParameters } from '../../app/address.ts';
import { inOrganization } from '../../app/session.ts';
import { rangeOf } from '../../components/date-range.tsx';

/** A chart of more hours than that has no space for its bars. */
const MAX_HOURLY_DAYS = 14;

const oneOf = <Value extends string>(text: string, values: readonly Value[]): Value =>
  values.find((value) => value === text) ?? values[0]!;

export type UsageState = {
  from: string;
  to: string;
  step: 'hour' | 'day';
  mayBeHourly: boolean;
  by: ReportGrouping;
  metric: UsageMetric;
  model: string;
  key: string;
  user: string;
};

/** Reads the state of the page from its address. */
export function usageState(): UsageState {
  const { from, to } = rangeOf('7d');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  const mayBeHourly = days <= MAX_HOURLY_DAYS;
  const usual = days <= 2 ? 'hour' : 'day';
  const chosenStep = queryValue('step', usual) === 'hour' ? 'hour' : 'day';
  return {
    from,
    to,
    mayBeHourly,
    step: mayBeHourly ? chosenStep : 'day',
    by: oneOf(queryValue('by'), ['model', 'key', 'user']),
    metric: oneOf(queryValue('metric'), ['spend', 'requests', 'tokens', 'errors']),
    model: queryValue('model'),
    key: queryValue('key'),
    user: queryValue('user'),
  };
}

/** Returns the path of the API for the state. */
export function usagePath(state: UsageState, part = ''): string | null {
  const base = inOrganization(`/usage${part}`);
  const { mayBeHourly: _, ...parameters } = state;
  return base && withParameters(base, parameters);
}

type RequestFilter = { model?: string; key?: string; user?: string; code?: string };

/** The page with the single requests behind a number. The page covers the whole span, or one hour or day. */
export function requestsBehind(
  state: UsageState,
  report: Pick<UsageReport, 'times' | 'from' | 'to'>,
  filter: RequestFilter = {},
  index?: number,
): string {
  const since = index === undefined ? report.from : report.times[index];
  const until = index === undefined ? report.to : (report.times[index + 1] ?? report.to);
  const { model, key, user } = state;
  const status = state.metric === 'errors' && filter.code === undefined ? 'failed' : undefined;
  return withParameters('/requests', { model, key, user, ...filter, since, until, status });
}
