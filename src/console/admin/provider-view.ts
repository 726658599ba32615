import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { recordOf } from '../../base/lib/records.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { UnusableRow } from '../../settings/stored/stored-rows.ts';
import type { ProbeResult, ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import { faultRemedies, type ProviderFault } from '../../upstream/calling/provider-fault.ts';
import { causeOfUnusable, unusableRemedies } from '../../upstream/calling/unusable-cause.ts';
import { type PlanClass, planClasses } from '../../upstream/capacity/plan-class.ts';
import type { AdminParts } from './admin-parts.ts';
import { providerCredentialView } from './provider-credential-view.ts';
import type { ProviderView } from './provider-schema.ts';
import type { TargetState } from './target-state.ts';

const NO_LATENCY = { p50: null, p95: null, p99: null };

export type ViewSources = Pick<AdminParts, 'activity' | 'capacity'> & {
  routing: Pick<AdminParts['routing'], 'targetsOf'>;
};

/** Shows a provider as this process sees it. */
export function providerView(provider: Provider, { activity, capacity, routing }: ViewSources): ProviderView {
  const waiting = byClass((planClass) => capacity.waitingFor(provider.id, planClass));
  const activityNow = activity.view(provider);
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
    health: healthOf(provider, activityNow.health),
    slots_in_use: activityNow.slotsInUse,
    max_concurrent: activityNow.maxConcurrent,
    queue_length: planClasses.reduce((sum, planClass) => sum + waiting[planClass], 0),
    queue_by_class: waiting,
    queue_wait_ms: byClass((planClass) => capacity.waitsAt(provider.id, planClass) ?? NO_LATENCY),
    latency_ms: activityNow.latencyMs ?? NO_LATENCY,
    error_rate: activityNow.errorRate,
    requests_total: activityNow.requestsTotal,
    errors_total: activityNow.errorsTotal,
    last_error_at: isoTimeOrNull(activityNow.lastErrorAt),
    last_error: errorView(activityNow.lastError),
    key_refused_since: isoTimeOrNull(activityNow.keyRefusedSince),
    fault: unusable ? unusableView(unusable) : activityNow.fault && faultView(activityNow.fault),
    credential: providerCredentialView(provider),
    last_probe: activityNow.lastProbe && probeView(activityNow.lastProbe),
    targets: routing.targetsOf(provider.id).map(targetView),
  };
}

const byClass = <T>(figureOf: (planClass: PlanClass) => T) => recordOf(planClasses, figureOf);

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

const faultView = ({ cause, since, model, status, message }: ProviderFault) => ({
  cause,
  since: isoTime(since),
  model,
  status,
  message,
  remedy: faultRemedies[cause],
});

/** The row is stored, and cannot be used. The provider gets no requests. */
function unusableView({ kind, since, reason }: UnusableRow): ProviderView['fault'] {
  const cause = causeOfUnusable(kind);
  const remedy = unusableRemedies[cause];
  return { cause, since: isoTime(since), model: null, status: null, message: reason, remedy };
}

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
