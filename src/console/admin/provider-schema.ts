import type { TSchema } from 'typebox';
import { recordOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { unusableCauses } from '../../upstream/calling/unusable-cause.ts';
import { planClasses } from '../../upstream/capacity/plan-class.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import { providerCredential } from './provider-credential-view.ts';

const text = Type.String();
const milliseconds = orNull(Type.Number());
const target = Type.Object({
  model: Type.String({ description: "The provider's name for the model." }),
  circuit: Type.Enum(['closed', 'open', 'half-open'], {
    description: '`open`: the target gets no requests; `half-open`: it gets one request at a time.',
  }),
  pause_left_ms: Type.Integer({ description: 'The time until the target is used again. 0 means no pause.' }),
  in_flight: Type.Integer(),
  error_rate: Type.Number({
    description: 'The share of failed attempts, 0 to 1. Recent attempts weigh more.',
  }),
  first_byte_ms: Type.Object(
    { whole: milliseconds, stream: milliseconds },
    { description: 'The average time to the first byte. `null` means that there are too few samples.' },
  ),
});

const percentiles = { p50: milliseconds, p95: milliseconds, p99: milliseconds };

const perClass = <Schema extends TSchema>(schema: Schema) => Type.Object(recordOf(planClasses, () => schema));

/** A provider with its health and load. */
export const provider = Type.Object(
  {
    id: text,
    wires: Type.Array(text, { description: 'The protocols that the provider serves.' }),
    mode: Type.Enum(['live', 'simulated', 'not-set-up']),
    simulated: Type.Boolean({ description: 'The built-in simulator answers in place of the provider.' }),
    source: Type.Enum(['file', 'environment', 'built-in', 'found', 'stored'], {
      description:
        '`file` and `environment`: the configuration file or a variable decides. `found`: a local server detected at the start or the latest reload. `stored`: made by form or API.',
    }),
    revision: orNull(
      Type.Integer(),
      'Increases with each change of a stored provider. `null` means that the provider is not stored.',
    ),
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
    queue_by_class: perClass(Type.Integer()),
    queue_wait_ms: perClass(
      Type.Object(percentiles, {
        description: 'The wait of recent queued requests. `null` means that no request has queued.',
      }),
    ),
    latency_ms: Type.Object(percentiles, {
      description: 'The time to the first byte. `null` means that there are no requests yet.',
    }),
    error_rate: Type.Number({ description: 'The share of failed requests in the last minute, 0 to 1.' }),
    requests_total: Type.Integer(),
    errors_total: Type.Integer(),
    last_error_at: orNull(time),
    last_error: orNull(
      Type.Object({
        at: time,
        model: text,
        status: orNull(Type.Integer()),
        type: orNull(text),
        code: orNull(text),
        message: orNull(text),
        request_id: orNull(text),
      }),
      "The latest failed call, with the provider's name for the model. A request that the provider refused as invalid counts too.",
    ),
    key_refused_since: orNull(
      time,
      'The time since which the provider refuses its key. `null` means that the key is accepted.',
    ),
    fault: orNull(
      Type.Object({
        cause: Type.Enum(['key_refused', 'out_of_credit', 'clock_skew', 'certificate', ...unusableCauses]),
        since: time,
        model: orNull(text, "The provider's name for the model of the latest failed call."),
        status: orNull(Type.Integer()),
        message: orNull(text, "The provider's own words."),
        remedy: text,
      }),
      'The cause of failed calls, if only an operator can correct it. One failed call sets it.',
    ),
    credential: providerCredential,
    last_probe: orNull(
      Type.Object({ at: time, ok: Type.Boolean(), latency_ms: Type.Number() }),
      'The result of the latest health probe. `null` means that no probes are configured.',
    ),
    targets: Type.Array(target, {
      description: 'The models of the provider that were called since the start of the process.',
    }),
  },
  { title: 'Provider' },
);
export type ProviderView = ViewOf<typeof provider>;
