import type { Static } from 'typebox';
import { orNull } from '../../base/schema/or-null.ts';
import { queryTime, time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { requestSources } from '../../watch/requests/request-source.ts';
import { namedIntervals } from '../../watch/traffic/choose-span.ts';
import { closed } from '../routes/closed.ts';
import { filterField } from '../routes/filter-field.ts';
import { memberColumns, operatorColumns, statusClasses } from './traffic-choices.ts';

const count = (description: string) => Type.Integer({ description });
const usd = (description: string) => Type.Number({ description });

const percentiles = (description: string) =>
  Type.Object(
    { p50: orNull(Type.Number()), p95: orNull(Type.Number()), p99: orNull(Type.Number()) },
    { description },
  );

/** The figures that members of an organization see. */
const memberFigures = {
  requests: count('Requests that have ended. An item of a batch is one request.'),
  errors: count('Answers with 5xx, and streams that ended early.'),
  refused: count('Answers with 4xx.'),
  input_tokens: count('All input tokens of charged requests.'),
  cached_input_tokens: count('The input tokens that were read from a cache.'),
  output_tokens: count('The output tokens of charged requests.'),
  cache_share: orNull(
    Type.Number(),
    'Cached input tokens divided by input tokens. `null` means that there was no input.',
  ),
  latency_ms: percentiles(
    'Percentiles of the time from arrival to end, within 5 %. `null` means that there were no requests.',
  ),
  first_token_ms: percentiles('Percentiles of the time to the first token of streams, within 5 %.'),
  revenue_usd: usd('What the account was charged. A credit is 0.002 USD.'),
};

/** The figures that operators see. */
const operatorFigures = {
  ...memberFigures,
  attempts: count('Calls to providers.'),
  failed_attempts: count('Calls to providers that failed.'),
  revenue_usd: usd('What accounts were charged. A credit is 0.002 USD.'),
  spend_usd: usd(
    'What the providers cost: `cost_usd_per_mtok` of the route, or the price of the model that answered.',
  ),
  margin_usd: usd('Revenue less spend.'),
};

const memberFiguresSchema = Type.Object(memberFigures);
export type MemberFigures = Static<typeof memberFiguresSchema>;
const operatorFiguresSchema = Type.Object(operatorFigures);
export type OperatorFigures = Static<typeof operatorFiguresSchema>;

const interval = {
  start: time,
  group: orNull(
    Type.String(),
    'The value of `group_by`. It is empty for requests without one, and `*` for all groups beyond 100. More than 300 intervals leave fewer groups.',
  ),
  group_name: orNull(Type.String(), 'The name of the account, the key or the machine of the node.'),
};

const answerOf = <Figures extends typeof memberFigures>(figures: Figures) => ({
  object: Type.Literal('traffic'),
  from: time,
  to: time,
  interval: Type.String({ description: 'The length of an interval, like `5m`, `1h` or `2d`.' }),
  group_by: orNull(Type.String()),
  totals: Type.Object(figures),
  previous: Type.Optional(
    Type.Object(figures, { description: 'The equal span before. Present with `compare=previous`.' }),
  ),
  groups: Type.Optional(
    Type.Array(
      Type.Object({
        group: Type.String(),
        group_name: Type.String(),
        ...figures,
        previous: Type.Optional(Type.Object(figures)),
      }),
      {
        description: 'The figures of each group in the whole span. Present with `group_by`.',
      },
    ),
  ),
  data: Type.Array(Type.Object({ ...interval, ...figures }), {
    description:
      'An object for each interval of each group, in the order of time. The busiest group comes first.',
  }),
});

export const operatorTraffic = Type.Object(answerOf(operatorFigures), { title: 'Traffic' });
export const memberTraffic = Type.Object(answerOf(memberFigures), { title: "An Organization's Traffic" });

const spanQuery = {
  from: queryTime('The first time, ISO 8601. Default: a day before `to`.'),
  to: queryTime('The time after the last, ISO 8601. Default: now.'),
  interval: Type.Optional(
    Type.Enum([...namedIntervals], {
      description: 'The length of an interval. Left out: the span in at most 120 intervals.',
    }),
  ),
  compare: Type.Optional(
    Type.Enum(['previous'], { description: '`previous`: also sums the equal span before.' }),
  ),
};

const memberFilters = {
  model: filterField('Only requests that this model answered, or that named it.'),
  key: filterField('Only requests with the API key of this id.'),
  status: Type.Optional(Type.Enum([...statusClasses], { description: 'Only answers of this class.' })),
  source: Type.Optional(
    Type.Enum([...requestSources], {
      description: 'Only requests of the API, of batches or of the playground.',
    }),
  ),
};

export const operatorTrafficQuery = Type.Object({
  ...spanQuery,
  group_by: Type.Optional(
    Type.Enum([...operatorColumns], { description: 'The column that distinguishes the groups.' }),
  ),
  provider: filterField('Only requests that this provider answered, and only its calls.'),
  account: filterField('Only requests of the account with this id.'),
  node: filterField('Only requests of the node with this id.'),
  ...memberFilters,
});

export const memberTrafficQuery = Type.Object(
  {
    ...spanQuery,
    group_by: Type.Optional(Type.Enum([...memberColumns])),
    ...memberFilters,
  },
  closed,
);
