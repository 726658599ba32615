import type { TSchema } from 'typebox';
import { modelFields } from '../../api/models/model-answer.ts';
import { storedSchema } from '../../api/usage/usage-description.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { modelKinds } from '../../translation/canonical/model-kind.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';

export const orNull = (schema: TSchema, description = '') =>
  Type.Union([schema, Type.Null()], { description });
const text = Type.String();
const plan = Type.Enum(planIds);

const account = Type.Object(
  {
    id: text,
    name: text,
    email: orNull(text),
    email_verified: Type.Boolean(),
    plan,
    pending_plan: orNull(plan, 'The plan of a pending downgrade, which applies at the next renewal.'),
    status: Type.Enum(['active', 'suspended', 'closed']),
    price_usd_per_month: orNull(Type.Number(), 'Null: by arrangement.'),
    plan_overrides: orNull(
      Type.Partial(Type.Object(planFigureSchemas)),
      'Values of the account that override those of its plan.',
    ),
    cycle_started_at: time,
    cycle_ends_at: orNull(time, 'Null: the credits do not renew.'),
    credits: Type.Object(
      {
        limit: orNull(Type.Number()),
        used: Type.Number(),
        remaining: orNull(Type.Number()),
        resets_at: Type.Optional(time),
      },
      {
        description:
          'The credits of this cycle. Null: no limit. While a renewal is past due, `limit` is the sum of the grants so far, and `resets_at` is the time of the next one.',
      },
    ),
    purchased_credits: Type.Number({
      description: 'The balance of purchased credit. 0 while there is a debt.',
    }),
    debt_credits: Type.Number({
      description: 'What reversed payments have taken beyond the purchased credit. Purchases pay it first.',
    }),
    stored: storedSchema,
    hosted_tools_stopped: Type.Optional(
      Type.Boolean({
        description:
          'True while hosted tools are stopped because of shortfalls. An operator clears the stop.',
      }),
    ),
    ledger_fault: Type.Optional(
      Type.Object(
        { since: time, reason: text },
        { description: 'The reason why the account is in quarantine and not served.' },
      ),
    ),
  },
  { title: 'Account' },
);

const keyFields = {
  id: text,
  account_id: text,
  name: orNull(text),
  hint: Type.String({ description: 'The first characters of the key.' }),
  payg: Type.Boolean({
    description: 'The key uses pay-as-you-go mode unless the request header says otherwise.',
  }),
  monthly_cap_usd: orNull(Type.Number(), 'Null: no cap.'),
  allowed_models: orNull(Type.Array(text), 'Null: all models.'),
  limits: orNull(
    Type.Object({
      requests_per_min: orNull(Type.Integer()),
      tokens_per_min: orNull(Type.Integer()),
      concurrent: orNull(Type.Integer()),
    }),
    "Limits of the key, in addition to the plan's. Null: none.",
  ),
  created_at: time,
  expires_at: orNull(time, 'From this time on the key is refused. Null: it does not expire.'),
  previous_secret_ends_at: orNull(
    time,
    'The end of the overlap of the latest rotation. Null: there was none.',
  ),
  revoked_at: orNull(time, 'Null: the key is not revoked.'),
  last_used_at: orNull(time, 'Null: never.'),
};
const key = Type.Object(keyFields, { title: 'API Key' });
const newKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The full key, shown only in this answer.' }) },
  { title: 'New API Key' },
);

const milliseconds = orNull(Type.Number());
const target = Type.Object({
  model: Type.String({ description: "The provider's name for the model." }),
  circuit: Type.Enum(['closed', 'open', 'half-open'], {
    description: '`open`: the target gets no requests; `half-open`: it gets one request at a time.',
  }),
  pause_left_ms: Type.Integer({ description: 'The time until the target is used again. 0: no pause.' }),
  in_flight: Type.Integer(),
  error_rate: Type.Number({
    description: 'The share of failed attempts, 0 to 1. Recent attempts weigh more.',
  }),
  first_byte_ms: Type.Object(
    { whole: milliseconds, stream: milliseconds },
    { description: 'The average time to the first byte. Null: too few samples.' },
  ),
});

const percentiles = { p50: milliseconds, p95: milliseconds, p99: milliseconds };

const byClass = <Schema extends TSchema>(schema: Schema) =>
  Type.Object(
    Object.fromEntries(planClasses.map((planClass) => [planClass, schema])) as Record<PlanClass, Schema>,
  );

const provider = Type.Object(
  {
    id: text,
    wires: Type.Array(text, { description: 'The protocols that the provider serves.' }),
    mode: Type.Enum(['live', 'simulated', 'not-set-up']),
    source: Type.Enum(['file', 'built-in', 'found'], {
      description: '`found`: a local server detected at the start or the latest reload.',
    }),
    base_url: text,
    missing_variables: Type.Array(text, {
      description: 'The required environment variables of a built-in provider that are not set.',
    }),
    health: Type.Enum(['up', 'degraded', 'faulty', 'down', 'drained', 'not-set-up'], {
      description: '`faulty`: some calls fail for the cause in `fault`. Others may succeed.',
    }),
    slots_in_use: Type.Integer({ description: 'Requests in flight.' }),
    max_concurrent: orNull(Type.Integer()),
    queue_length: Type.Integer(),
    queue_by_class: byClass(Type.Integer()),
    queue_wait_ms: byClass(
      Type.Object(percentiles, {
        description: 'The wait of recent queued requests. Null: no request has queued.',
      }),
    ),
    latency_ms: Type.Object(percentiles, {
      description: 'The time to the first byte. Null: no requests yet.',
    }),
    error_rate: Type.Number({ description: 'The share of failed requests in the last minute, 0 to 1.' }),
    requests_total: Type.Integer(),
    errors_total: Type.Integer(),
    last_error_at: orNull(time),
    last_error: Type.Union(
      [
        Type.Object({
          at: time,
          model: text,
          status: orNull(Type.Integer()),
          type: orNull(text),
          code: orNull(text),
          message: orNull(text),
          request_id: orNull(text),
        }),
        Type.Null(),
      ],
      {
        description:
          "The latest failed call, with the provider's name for the model. A request that the provider refused as invalid counts too.",
      },
    ),
    key_refused_since: orNull(
      time,
      'The time since which the provider refuses its key. Null: the key is accepted.',
    ),
    fault: Type.Union(
      [
        Type.Object({
          cause: Type.Enum(['key_refused', 'clock_skew', 'certificate']),
          since: time,
          model: orNull(text, "The provider's name for the model of the latest failed call."),
          status: orNull(Type.Integer()),
          message: orNull(text, "The provider's own words."),
          remedy: text,
        }),
        Type.Null(),
      ],
      {
        description:
          'The cause of failed calls, if only an operator can correct it. One failed call sets it.',
      },
    ),
    credential: Type.Union(
      [
        Type.Object({
          kind: Type.Enum(['api_key', 'aws', 'azure', 'google']),
          hint: orNull(text, 'The last four characters of the key, or of the id of the identity.'),
          set_at: Type.Null(),
          source: orNull(text, 'The source of the secret, or the source that failed last.'),
          expires_at: orNull(time, 'The time at which the secret expires.'),
          refreshed_at: orNull(time, 'The time of the latest renewal.'),
          error: orNull(text, 'The reason why the latest renewal failed.'),
        }),
        Type.Null(),
      ],
      { description: 'The credential of the calls to the provider. Null: the calls have none.' },
    ),
    last_probe: Type.Union(
      [Type.Object({ at: time, ok: Type.Boolean(), latency_ms: Type.Number() }), Type.Null()],
      {
        description: 'The result of the latest health probe. Null: no probes are configured.',
      },
    ),
    targets: Type.Array(target, {
      description: 'The models of the provider that were called since the start.',
    }),
  },
  { title: 'Provider' },
);

const operatorModel = Type.Object(
  {
    ...modelFields,
    kind: Type.Enum([...modelKinds]),
    plan: Type.Enum(planIds, { description: 'The cheapest plan that includes the model.' }),
    launch: Type.Boolean({ description: 'The Launch plan includes the model.' }),
    confirmed_at: orNull(
      Type.String({ format: 'date' }),
      'The date on which the base prices were last compared with their source.',
    ),
    comparable: Type.Array(text),
    routes: Type.Array(
      Type.Object({ provider: text, model: text, weight: Type.Number(), usable: Type.Boolean() }),
      { description: 'The targets of the model. `usable`: the provider is set up.' },
    ),
  },
  { title: 'Operator Model' },
);

const planRow = Type.Object(
  {
    id: plan,
    display_name: text,
    rank: Type.Integer({ description: 'The position of the plan. A change to a higher rank is an upgrade.' }),
    buyable: Type.Boolean(),
    ...planFigureSchemas,
  },
  { title: 'Plan' },
);

const auditEntry = Type.Object(
  {
    id: text,
    at: time,
    actor: Type.String({
      description: 'The name of the admin token that made the change. `admin`: the first token.',
    }),
    action: Type.String({ description: 'The kind of change, for example `account-create`.' }),
    target: Type.String({ description: 'The id of the changed object.' }),
    before: Type.Unknown(),
    after: Type.Unknown(),
    changes: Type.Integer({
      description: 'The number of repeated changes of one field that the entry stands for.',
    }),
  },
  { title: 'Audit Entry' },
);

const batch = Type.Object(
  {
    id: text,
    collection: Type.Enum(['messages', 'chat']),
    account_id: text,
    key_id: text,
    processing_mode: text,
    processing_status: Type.Enum(['in_progress', 'canceling', 'ended']),
    size: Type.Integer(),
    request_counts: Type.Record(Type.String(), Type.Integer()),
    at_work: Type.Integer({ description: 'Items that are being answered or are queued for capacity.' }),
    retries: Type.Integer({ description: 'Failed attempts that were retried.' }),
    items_per_minute: orNull(
      Type.Number(),
      'The average since this process took up the batch. Null: no item has finished.',
    ),
    estimated_end_at: orNull(time, 'The estimated end at the current rate.'),
    created_at: time,
    deadline_at: Type.String({
      format: 'date-time',
      description: 'Items without a result at this time expire.',
    }),
    expires_at: time,
    cancel_initiated_at: orNull(time),
    ended_at: orNull(time),
  },
  { title: 'Running Batch' },
);

/** The schema of a page of a list. */
export const listOf = (item: TSchema) =>
  Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    first_id: orNull(text),
    last_id: orNull(text),
    has_more: Type.Boolean(),
  });

/** The answer schemas of the admin API. */
export const adminAnswers = {
  account,
  accounts: listOf(account),
  key,
  keys: listOf(key),
  newKey,
  provider,
  providers: listOf(provider),
  model: operatorModel,
  models: listOf(operatorModel),
  plans: listOf(planRow),
  batch,
  batches: listOf(batch),
  audit: listOf(auditEntry),
  reload: Type.Object({
    reloaded: Type.Literal(true),
    generation: Type.Integer(),
    restart_needed: Type.Array(Type.String(), {
      description: 'Changed settings that take effect at the next start.',
    }),
    warnings: Type.Array(Type.String(), { description: 'Settings that are valid but hardly meant.' }),
  }),
  clock: Type.Object({ now: time }),
};
