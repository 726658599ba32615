import { addressUsed, publicUrl } from '../../edge/http/public-url.ts';
import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import { dashboardRoute } from './dashboard-route.ts';
import { welcomeView } from './welcome-view.ts';

/** The content of the start page for visitors, even those without a session. */
export const welcomeRoutes = [
  dashboardRoute(
    { method: 'GET', path: '/dashboard/v1/welcome', access: 'anyone', answer: welcomeView },
    ({ exchange }) => {
      const { catalog, plans } = exchange.snapshot;
      const answering = catalog.entries.filter(isAvailable);
      const origin = exchange.listener === 'operators' ? addressUsed(exchange) : publicUrl(exchange);
      return {
        base_url: `${origin}/v1`,
        model: exampleEntry(exchange.snapshot)?.model.id ?? null,
        models: answering.length,
        simulated_models: answering.filter(isSimulated).length,
        plans: Object.values(plans)
          .filter(({ buyable }) => buyable)
          .map(({ id, displayName, priceUsd, credits, requestsPerMinute, concurrent }) => ({
            id,
            name: displayName,
            price_usd_per_month: priceUsd,
            credits,
            requests_per_minute: requestsPerMinute,
            concurrent,
          })),
      };
    },
  ),
];
