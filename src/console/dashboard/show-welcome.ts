import { addressUsed, publicUrl } from '../../edge/http/public-url.ts';
import { isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import type { Plan } from '../../settings/plans/plan.ts';
import { exampleEntry } from '../../settings/snapshot/example-entry.ts';
import type { GuestCall } from './dashboard-route.ts';
import type { WelcomeView } from './welcome-view.ts';

/** Shows the address of the API, its models and the plans that are open to everybody. */
export function showWelcome({ exchange }: GuestCall): WelcomeView {
  const { catalog, plans } = exchange.snapshot;
  const available = catalog.entries.filter(isAvailable);
  const origin = exchange.listener === 'operators' ? addressUsed(exchange) : publicUrl(exchange);
  return {
    base_url: `${origin}/v1`,
    model: exampleEntry(exchange.snapshot)?.model.id ?? null,
    models: available.length,
    simulated_models: available.filter(isSimulated).length,
    plans: Object.values(plans)
      .filter(({ buyable }) => buyable)
      .map(planView),
  };
}

const planView = (plan: Plan): WelcomeView['plans'][number] => ({
  id: plan.id,
  name: plan.displayName,
  price_usd_per_month: plan.priceUsd,
  credits: plan.credits,
  requests_per_minute: plan.requestsPerMinute,
  concurrent: plan.concurrent,
});
