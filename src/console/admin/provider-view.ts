import type { TSchema } from 'typebox';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { recordOf } from '../../base/lib/records.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { UnusableRow } from '../../settings/stored/stored-rows.ts';
import type { ProbeResult, ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import {
  CREDENTIAL_REMEDY,
  faultRemedies,
  type ProviderFault,
} from '../../upstream/calling/provider-fault.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { ViewOf } from '../routes/typed-route.ts';
import type { AdminParts, TargetState } from './admin-parts.ts';

const text = Type.String();
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
    { description: 'The average time to the first byte. `null` means that there are too few samples.' },
  ),
});

const percentiles = { p50: milliseconds, p95: milliseconds, p99: milliseconds };

const perClass = <Schema extends TSchema>(schema: Schema) => Type.Object(recordOf(planClasses, () => schema));

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
      'The time since which the provider refuses its key. `null` means that the key is accepted.',
    ),
    fault: Type.Union(
      [
        Type.Object({
          cause: Type.Enum(['key_refused', 'clock_skew', 'certificate', 'credential_unreadable']),
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
          set_at: orNull(time, 'The time at which a stored credential was set.'),
          source: orNull(text, 'The source of the secret, or the source that failed last.'),
          expires_at: orNull(time, 'The time at which the secret expires.'),
          refreshed_at: orNull(time, 'The time of the latest renewal.'),
          error: orNull(text, 'The reason why the latest renewal failed.'),
        }),
        Type.Null(),
      ],
      { description: 'The credential of the calls to the provider. `null` means that the calls have none.' },
    ),
    last_probe: Type.Union(
      [Type.Object({ at: time, ok: Type.Boolean(), latency_ms: Type.Number() }), Type.Null()],
      {
        description: 'The result of the latest health probe. `null` means that no probes are configured.',
      },
    ),
    targets: Type.Array(target, {
      description: 'The models of the provider that were called since the start.',
    }),
  },
  { title: 'Provider' },
);
export type ProviderView = ViewOf<typeof provider>;

const NO_LATENCY = { p50: null, p95: null, p99: null };

export type ViewSources = Pick<AdminParts, 'activity' | 'capacity'> & {
  routing: Pick<AdminParts['routing'], 'targetsOf'>;
};

export function providerView(provider: Provider, { activity, capacity, routing }: ViewSources): ProviderView {
  const waiting = byClass((planClass) => capacity.waitingFor(provider.id, planClass));
  const now = activity.view(provider);
  const unusable = provider.stored?.unusable;
  return {
    id: provider.id,
    wires: provider.wires,
    mode: provider.mode,
    simulated: provider.mode === 'simulated',
    source: provider.source,
    revision: provider.stored?.revision ?? null,
    base_url: withoutSecrets(provider.baseUrl),
    missing_variables: provider.missingVariables,
    health: healthOf(provider, now.health),
    slots_in_use: now.slotsInUse,
    max_concurrent: now.maxConcurrent,
    queue_length: planClasses.reduce((sum, planClass) => sum + waiting[planClass], 0),
    queue_by_class: waiting,
    queue_wait_ms: byClass((planClass) => capacity.waitsAt(provider.id, planClass) ?? NO_LATENCY),
    latency_ms: now.latencyMs ?? NO_LATENCY,
    error_rate: now.errorRate,
    requests_total: now.requestsTotal,
    errors_total: now.errorsTotal,
    last_error_at: isoTimeOrNull(now.lastErrorAt),
    last_error: errorView(now.lastError),
    key_refused_since: isoTimeOrNull(now.keyRefusedSince),
    fault: unusable ? unusableView(unusable) : now.fault && faultView(now.fault),
    credential: credentialView(provider),
    last_probe: now.lastProbe && probeView(now.lastProbe),
    targets: routing.targetsOf(provider.id).map(targetView),
  };
}

const byClass = <T>(read: (planClass: PlanClass) => T) => recordOf(planClasses, read);

const probeView = ({ at, outcome, latencyMs }: ProbeResult) => ({
  at: isoTime(at),
  // `canceled` means that the host answered but does not know the probed path, so it is reachable.
  ok: outcome === 'ok' || outcome === 'canceled',
  latency_ms: Math.round(latencyMs * 10) / 10,
});

function errorView(error: ProviderActivityView['lastError']) {
  if (error === null) return null;
  const { at, model, status, type, code, message, requestId } = error;
  return { at: isoTime(at), model, status, type, code, message, request_id: requestId };
}

/**
 * Shows the credential with which the provider is called. A hint has the last characters of a key, or of the
 * name of an identity.
 */
function credentialView({ apiKey, cloud, stored }: Provider): ProviderView['credential'] {
  const set_at = isoTimeOrNull(stored?.credentialSetAt ?? null);
  if (cloud === null) {
    return apiKey === null ? null : { ...NO_CREDENTIAL, kind: 'api_key', hint: hintOfKey(apiKey), set_at };
  }
  const { source, expiresAt, refreshedAt, error } = cloud.credential.state();
  return {
    kind: cloud.plan.kind,
    hint: hintOf(cloud.plan),
    set_at,
    source,
    error,
    expires_at: isoTimeOrNull(expiresAt),
    refreshed_at: isoTimeOrNull(refreshedAt),
  };
}

const HINT_CHARACTERS = 4;
/** A part of a shorter key would reveal too much of it. */
const MIN_HINTED = 16;

const hintOfKey = (key: string): string | null =>
  key.length < MIN_HINTED ? null : key.slice(-HINT_CHARACTERS);

const NO_CREDENTIAL = { source: null, expires_at: null, refreshed_at: null, error: null };

function hintOf(plan: CloudPlan): string | null {
  if (plan.kind === 'google') return null;
  return hintOfKey((plan.kind === 'azure' ? plan.clientId : plan.accessKeyId) ?? '');
}

const faultView = ({ cause, since, model, status, message }: ProviderFault) => ({
  cause,
  since: isoTime(since),
  model,
  status,
  message,
  remedy: faultRemedies[cause],
});

/** The row is stored, and its credential cannot be read. The provider gets no requests. */
const unusableView = ({ since, reason }: UnusableRow): ProviderView['fault'] => ({
  cause: 'credential_unreadable',
  since: isoTime(since),
  model: null,
  status: null,
  message: reason,
  remedy: CREDENTIAL_REMEDY,
});

const targetView = (target: TargetState) => ({
  model: target.model,
  circuit: target.circuit,
  pause_left_ms: target.pauseLeftMs,
  in_flight: target.inFlight,
  error_rate: target.errorShare,
  first_byte_ms: target.firstByteMs,
});

function healthOf({ stored, mode }: Provider, health: ProviderView['health']): ProviderView['health'] {
  if (stored?.unusable) return 'down';
  return mode === 'not-set-up' ? mode : health;
}

/** Removes credentials and the query from an address, since they can contain a password or a key. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}
