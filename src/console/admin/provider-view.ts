import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { CloudPlan } from '../../settings/hosts/cloud-plan.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { ProbeResult, ProviderActivityView } from '../../upstream/calling/provider-activity.ts';
import { faultRemedies, type ProviderFault } from '../../upstream/calling/provider-fault.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { AdminDependencies, TargetState } from './admin-dependencies.ts';

/** Null: nothing was measured. */
type LatencyView = Record<'p50' | 'p95' | 'p99', number | null>;

const NO_LATENCY: LatencyView = { p50: null, p95: null, p99: null };

type Sources = Pick<AdminDependencies, 'activity' | 'capacity' | 'routing'>;

export function providerView(provider: Provider, { activity, capacity, routing }: Sources) {
  const waiting = byClass((planClass) => capacity.waitingFor(provider.id, planClass));
  const now = activity.view(provider);
  return {
    id: provider.id,
    wires: provider.wires,
    mode: provider.mode,
    source: provider.source,
    base_url: withoutSecrets(provider.baseUrl),
    missing_variables: provider.missingVariables,
    health: provider.mode === 'not-set-up' ? provider.mode : now.health,
    slots_in_use: now.slotsInUse,
    max_concurrent: now.maxConcurrent,
    queue_length: planClasses.reduce((sum, planClass) => sum + waiting[planClass], 0),
    queue_by_class: waiting,
    queue_wait_ms: byClass<LatencyView>(
      (planClass) => capacity.waitsAt(provider.id, planClass) ?? NO_LATENCY,
    ),
    latency_ms: (now.latencyMs ?? NO_LATENCY) as LatencyView,
    error_rate: now.errorRate,
    requests_total: now.requestsTotal,
    errors_total: now.errorsTotal,
    last_error_at: isoTimeOrNull(now.lastErrorAt),
    last_error: errorView(now.lastError),
    key_refused_since: isoTimeOrNull(now.keyRefusedSince),
    fault: now.fault && faultView(now.fault),
    credential: credentialView(provider),
    last_probe: now.lastProbe && probeView(now.lastProbe),
    targets: routing.targetsOf(provider.id).map(targetView),
  };
}

const byClass = <T>(read: (planClass: PlanClass) => T) =>
  Object.fromEntries(planClasses.map((planClass) => [planClass, read(planClass)])) as Record<PlanClass, T>;

const probeView = ({ at, outcome, latencyMs }: ProbeResult) => ({
  at: isoTimeOrNull(at),
  // `canceled` means that the host answered but does not know the probed path, so it is reachable.
  ok: outcome === 'ok' || outcome === 'canceled',
  latency_ms: Math.round(latencyMs * 10) / 10,
});

function errorView(error: ProviderActivityView['lastError']) {
  if (error === null) return null;
  const { at, model, status, type, code, message, requestId } = error;
  return { at: isoTimeOrNull(at), model, status, type, code, message, request_id: requestId };
}

/** How the provider is called. A hint has the last characters of a key, or of the name of an identity. */
function credentialView({ apiKey, cloud }: Provider) {
  if (cloud === null)
    return apiKey === null ? null : { ...NO_CREDENTIAL, kind: 'api_key', hint: hintOfKey(apiKey) };
  const { source, expiresAt, refreshedAt, error } = cloud.credential.state();
  return {
    kind: cloud.plan.kind,
    hint: hintOf(cloud.plan),
    set_at: null,
    source,
    error,
    expires_at: isoTimeOrNull(expiresAt),
    refreshed_at: isoTimeOrNull(refreshedAt),
  };
}

const HINT_CHARACTERS = 4;
/** A part of a shorter key would reveal too much of it. */
const SHORTEST_HINTED = 16;

const hintOfKey = (key: string): string | null =>
  key.length < SHORTEST_HINTED ? null : key.slice(-HINT_CHARACTERS);

const NO_CREDENTIAL = { set_at: null, source: null, expires_at: null, refreshed_at: null, error: null };

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

const targetView = (target: TargetState) => ({
  model: target.model,
  circuit: target.circuit,
  pause_left_ms: target.pauseLeftMs,
  in_flight: target.inFlight,
  error_rate: target.errorShare,
  first_byte_ms: target.firstByteMs,
});

/** Removes credentials and the query from an address, since they can contain a password or a key. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}
