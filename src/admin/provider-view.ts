import type { Capacity } from '../capacity/capacity.ts';
import type { ProviderActivity } from '../providers/provider-activity.ts';
import type { Provider } from '../providers/providers.ts';
import { isoTimeOrNull } from './iso-time.ts';

const NO_LATENCY = { p50: null, p95: null, p99: null };

export function providerView(provider: Provider, activity: ProviderActivity, capacity: Capacity<Provider>) {
  const paid = capacity.waitingFor(provider.id, 'paid');
  const free = capacity.waitingFor(provider.id, 'free');
  const now = activity.view(provider);
  return {
    id: provider.id,
    wires: provider.wires,
    mode: provider.mode,
    source: provider.source,
    base_url: withoutSecrets(provider.baseUrl),
    health: now.health,
    slots_in_use: now.slotsInUse,
    max_concurrent: now.maxConcurrent,
    queue_length: paid + free,
    queue_by_class: { paid, free },
    latency_ms: now.latencyMs ?? NO_LATENCY,
    error_rate: now.errorRate,
    requests_total: now.requestsTotal,
    errors_total: now.errorsTotal,
    last_error_at: isoTimeOrNull(now.lastErrorAt),
  };
}

/** An address may carry a password or a key in its query. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}
