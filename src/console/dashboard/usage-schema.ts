import type { Static } from 'typebox';
import { ISO_TIME } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import { usageSteps } from '../../watch/requests/usage-store.ts';
import { closed } from '../routes/closed.ts';

/** The columns that distinguish the groups of a report. */
export const usageGroupings = ['model', 'key', 'user'] as const;
export type ReportGrouping = (typeof usageGroupings)[number];
/** The figures by which groups are compared. */
const usageMetrics = ['spend', 'requests', 'tokens', 'errors'] as const;
export type UsageMetric = (typeof usageMetrics)[number];

const time = Type.String({ pattern: ISO_TIME });
const name = Type.String({ minLength: 1, maxLength: 300 });
const count = Type.Integer();
const counts = Type.Array(count);

/** `GET /dashboard/v1/organizations/{account}/usage` and `…/usage/csv` */
export const usageQuery = Type.Object(
  {
    from: Type.Optional(time),
    to: Type.Optional(time),
    step: Type.Optional(Type.Enum(usageSteps)),
    by: Type.Optional(Type.Enum(usageGroupings)),
    /** The figure of `groups[].values`. */
    metric: Type.Optional(Type.Enum(usageMetrics)),
    model: Type.Optional(name),
    key: Type.Optional(name),
    user: Type.Optional(name),
  },
  closed,
);
export type UsageQuery = Static<typeof usageQuery>;

const figures = {
  /** Charged requests. */
  requests: count,
  /** Requests that ended with an error code, charged or not. */
  errors: count,
  uncached_input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  microcredits: count,
};

const usageFigures = Type.Object(figures);
export type UsageFigures = Static<typeof usageFigures>;

const group = Type.Object({
  /** The model, the id of the key, or the end user. '' stands for requests without an end user. */
  id: Type.String(),
  ...figures,
  /** The metric of the query, by hour or day. */
  values: counts,
});
export type UsageGroup = Static<typeof group>;

export const usageReport = Type.Object({
  from: Type.String(),
  to: Type.String(),
  step: Type.Enum(usageSteps),
  by: Type.Enum(usageGroupings),
  metric: Type.Enum(usageMetrics),
  /** The starts of the hours or days, in UTC. */
  times: Type.Array(Type.String()),
  totals: usageFigures,
  /** The totals of the span of equal length before. `null` means that the span is too long to be compared. */
  previous: orNull(usageFigures),
  /** The totals by hour or day. */
  series: Type.Object({
    requests: counts,
    errors: counts,
    uncached_input_tokens: counts,
    cached_input_tokens: counts,
    output_tokens: counts,
    microcredits: counts,
  }),
  /** The largest groups by the metric. */
  groups: Type.Array(group),
  /** The sum of all further groups. */
  rest: orNull(Type.Object({ groups: count, ...figures, values: counts })),
  codes: Type.Array(Type.Object({ code: Type.String(), status: count, errors: count })),
  /** The models to filter by. */
  models: Type.Array(Type.String()),
  /** Errors and end users are known from this time on. */
  detailed_from: Type.String(),
  /** The maximum of distinct end users per day. */
  most_users: count,
});
export type UsageReport = Static<typeof usageReport>;
