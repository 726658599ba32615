import { Refusal } from '../../base/errors/refusal.ts';
import { timeIfGiven } from '../../base/lib/iso-time.ts';
import { definedOf } from '../../base/lib/records.ts';
import { DAY_MS, HOUR_MS } from '../../base/lib/units.ts';
import type { UsageStep } from '../../watch/requests/usage-store.ts';
import type { ReportGrouping, UsageMetric, UsageQuery } from './usage-schema.ts';

/** The lengths of the steps of a span. */
export const STEP_MS: Readonly<Record<UsageStep, number>> = { hour: HOUR_MS, day: DAY_MS };

/** The most hours or days of a page. */
const MAX_STEPS: Readonly<Record<UsageStep, number>> = { hour: 14 * 24, day: 400 };
/** Usage by end user has as many sums as users. */
const MAX_DAYS_BY_USER = 92;
const DEFAULT_DAYS = 30;

/** A question of the usage page. `from` and `to` count steps since 1970; `to` is exclusive. */
export type UsageSpan = {
  step: UsageStep;
  from: number;
  to: number;
  by: ReportGrouping;
  metric: UsageMetric;
  where: { model?: string; key?: string; user?: string };
};

/** Reads the span of a query. It covers every hour or day that it touches. */
export function readUsageSpan(query: UsageQuery, now: number): UsageSpan | Refusal {
  const { step = 'day', by = 'model', metric = 'spend', model, key, user } = query;
  const width = STEP_MS[step];
  const end = timeIfGiven(query.to) ?? now + 1;
  const start = timeIfGiven(query.from) ?? end - DEFAULT_DAYS * STEP_MS.day;
  const from = Math.floor(start / width);
  const to = Math.ceil(end / width);
  if (to <= from) return invalid('to', 'to must be after from.');
  const maxSteps = by === 'user' && step === 'day' ? MAX_DAYS_BY_USER : MAX_STEPS[step];
  // A span without a start is shortened, and one with a start is refused.
  const first = query.from === undefined ? Math.max(from, to - maxSteps) : from;
  if (to - first > maxSteps)
    return invalid(
      'from',
      `Usage${by === 'user' ? ' by user' : ''} is shown for at most ${maxSteps} ${step}s.`,
    );
  return { step, from: first, to, by, metric, where: definedOf({ model, key, user }) };
}

const invalid = (param: string, message: string) => new Refusal('invalid_request', { param, message });
