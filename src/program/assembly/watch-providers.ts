import type { Clock } from '../../base/lib/clock.ts';
import { unconfirmedRows } from '../../settings/catalog/price-confirmations.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';
import type { CredentialRegistry } from '../../upstream/credentials/credential-registry.ts';
import { ProviderAlerts } from '../../watch/alerts/provider-alerts.ts';
import type { Logger } from '../../watch/observability/logger.ts';
import type { assembleAlerts } from './assemble-alerts.ts';
import type { createUpstream } from './create-upstream.ts';

type WatchParts = {
  alerts: Awaited<ReturnType<typeof assembleAlerts>>;
  holder: SnapshotSource;
  clock: Clock;
  credentials: CredentialRegistry;
  logger: Logger;
};

/** Creates the alerts about providers, and reports usage without a price or with an unconfirmed one. */
export function watchProviders(
  { alerts, holder, clock, credentials, logger }: WatchParts,
  { activity, metrics }: Pick<ReturnType<typeof createUpstream>, 'activity' | 'metrics'>,
): ProviderAlerts {
  metrics.observeUsage({
    sentUnpriced: (model, extra) => alerts.faults.reportUnpricedRequest(model, extra),
    usedUnpriced: (model, dimension) => alerts.faults.reportUnpricedUsage(model, dimension),
    charged(model) {
      const { catalog } = holder.current;
      const now = clock.now();
      if (now < catalog.unconfirmedFrom) return;
      const rows = unconfirmedRows(catalog.find(model)?.model.confirmations ?? [], now);
      if (rows.length > 0) alerts.faults.reportUnconfirmedPrice(model, rows);
    },
  });
  const providerAlerts = new ProviderAlerts({
    service: alerts.service,
    activity,
    now: () => clock.now(),
    providers: () => holder.current.providers.values(),
  });
  activity.observeFaults((provider, fault) => providerAlerts.reportFault(provider, fault));
  credentials.observer = {
    onFailure: (provider, failure) => {
      if (!holder.current.providers.has(provider)) return; // a reload has removed it
      logger.warn('credential-failed', { provider, source: failure.source, reason: failure.message });
      providerAlerts.reportCredential(provider, failure);
    },
    recovered: (provider) => logger.info('credential-renewed', { provider }),
  };
  return providerAlerts;
}
