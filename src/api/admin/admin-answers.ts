import { type TSchema, Type } from 'typebox';
import { planFigureSchemas } from '../../settings/config/plan-schema.ts';
import { planIds } from '../../settings/plans/plan.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import { modelFields } from '../models/model-answer.ts';
import { storedSchema } from '../usage/usage-description.ts';

export const orNull = (schema: TSchema, description = '') =>
  Type.Union([schema, Type.Null()], { description });
const text = Type.String();
const time = Type.String({ description: 'ISO 8601, UTC.' });
const plan = Type.Enum(planIds);

const account = Type.Object(
  {
    id: text,
    name: text,
    email: orNull(text),
    email_verified: Type.Boolean(),
    plan,
    pending_plan: orNull(plan, 'A cheaper plan that acts at the next renewal.'),
    status: Type.Enum(['active', 'suspended', 'closed']),
    price_usd_per_month: orNull(Type.Number(), 'Null: by agreement.'),
    plan_overrides: orNull(
      Type.Partial(Type.Object(planFigureSchemas)),
      "The account's own figures, over those of its plan.",
    ),
    cycle_started_at: time,
    cycle_ends_at: orNull(text, 'Null where nothing renews.'),
    credits: Type.Object(
      { limit: orNull(Type.Number()), used: Type.Number(), remaining: orNull(Type.Number()) },
      { description: 'Of this cycle. Null: no limit.' },
    ),
    purchased_credits: Type.Number({ description: 'What is left of bought credit.' }),
    stored: storedSchema,
    ledger_fault: Type.Optional(
      Type.Object(
        { since: time, reason: text },
        { description: 'Why the account is in quarantine and not served.' },
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
  payg: Type.Boolean({ description: 'Whether it runs in pay-as-you-go mode without the header.' }),
  monthly_cap_usd: orNull(Type.Number(), 'Null: no cap.'),
  allowed_models: orNull(Type.Array(text), 'Null: all.'),
  created_at: time,
  revoked_at: orNull(text, 'Null as long as it is in use.'),
};
const key = Type.Object(keyFields, { title: 'API Key' });
const newKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'The key itself, shown this once.' }) },
  { title: 'New API Key' },
);

const milliseconds = orNull(Type.Number());
const target = Type.Object({
  model: Type.String({ description: "The provider's own name of the model." }),
  circuit: Type.Enum(['closed', 'open', 'half-open'], {
    description: 'open: it is left alone for a while; half-open: one request at a time tries it.',
  }),
  pause_left_ms: Type.Integer({ description: 'Until it is tried again; 0 when it may be now.' }),
  in_flight: Type.Integer(),
  error_rate: Type.Number({ description: 'Of the latest attempts, 0 to 1; old ones fade.' }),
  first_byte_ms: Type.Object(
    { whole: milliseconds, stream: milliseconds },
    { description: 'Until an answer begins, on average; null when too few are known.' },
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
    wires: Type.Array(text, { description: 'The protocols that it serves.' }),
    mode: Type.Enum(['live', 'simulated', 'not-set-up']),
    source: Type.Enum(['file', 'built-in', 'found'], {
      description: 'found: a local server that was there at the start or the latest reload.',
    }),
    base_url: text,
    health: Type.Enum(['up', 'degraded', 'down', 'drained']),
    slots_in_use: Type.Integer({ description: 'Requests that it is answering now.' }),
    max_concurrent: orNull(Type.Integer()),
    queue_length: Type.Integer(),
    queue_by_class: byClass(Type.Integer()),
    queue_wait_ms: byClass(
      Type.Object(percentiles, { description: 'Of the latest that were served after a wait; null before.' }),
    ),
    latency_ms: Type.Object(percentiles, {
      description: 'Until the first byte; null before the first request.',
    }),
    error_rate: Type.Number({ description: 'Of the last minute, 0 to 1.' }),
    requests_total: Type.Integer(),
    errors_total: Type.Integer(),
    last_error_at: orNull(text),
    key_refused_since: orNull(text, 'Since when it has not taken its key; null while it does.'),
    last_probe: Type.Union(
      [Type.Object({ at: time, ok: Type.Boolean(), latency_ms: Type.Number() }), Type.Null()],
      {
        description:
          'What the last request of our own found out; null where the configuration asks for none.',
      },
    ),
    targets: Type.Array(target, { description: 'Its models that were called since the start.' }),
  },
  { title: 'Provider' },
);

const operatorModel = Type.Object(
  {
    ...modelFields,
    kind: Type.Enum(['chat', 'embedding']),
    plan: Type.Enum(planIds, { description: 'The cheapest plan that includes it.' }),
    launch: Type.Boolean({ description: 'Whether the Launch plan includes it.' }),
    comparable: Type.Array(text),
    routes: Type.Array(
      Type.Object({ provider: text, model: text, weight: Type.Number(), usable: Type.Boolean() }),
      { description: 'Where it is served; `usable` when the provider is set up.' },
    ),
  },
  { title: 'Operator Model' },
);

const planRow = Type.Object(
  {
    id: plan,
    display_name: text,
    rank: Type.Integer({ description: 'An upgrade goes up.' }),
    buyable: Type.Boolean(),
    ...planFigureSchemas,
  },
  { title: 'Plan' },
);

const auditEntry = Type.Object(
  {
    id: text,
    at: time,
    actor: Type.String({ description: 'Who did it.' }),
    action: Type.String({ description: 'What was done, like `account-create`.' }),
    target: Type.String({ description: 'The id of what was changed.' }),
    before: Type.Unknown(),
    after: Type.Unknown(),
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
    at_work: Type.Integer({ description: 'Items that are being answered now, or wait for capacity.' }),
    retries: Type.Integer({ description: 'Tries of its items that failed and were made again.' }),
    items_per_minute: orNull(Type.Number(), 'Since this process runs it. Null: none has ended yet.'),
    estimated_end_at: orNull(text, 'When it ends if it goes on like this.'),
    created_at: time,
    deadline_at: Type.String({ description: 'Items without a result by then expire.' }),
    expires_at: time,
    cancel_initiated_at: orNull(text),
    ended_at: orNull(text),
  },
  { title: 'Running Batch' },
);

/** A page of a list. */
export const listOf = (item: TSchema) =>
  Type.Object({
    object: Type.Literal('list'),
    data: Type.Array(item),
    first_id: orNull(text),
    last_id: orNull(text),
    has_more: Type.Boolean(),
  });

/** What the admin API answers, for the documentation. */
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
  reload: Type.Object({ reloaded: Type.Literal(true), generation: Type.Integer() }),
  clock: Type.Object({ now: time }),
};
