import type { Provider } from '../../settings/hosts/providers.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { accepted } from '../routes/accepted.ts';
import { listOf, listView } from '../routes/list.ts';
import { unknownProvider } from '../settings/setting-refusals.ts';
import type { AdminParts } from './admin-parts.ts';
import { adminRouteWith } from './admin-route.ts';
import { type ProviderView, provider } from './provider-schema.ts';
import { providerViewInFleet, providerViewsInFleet } from './provider-views-in-fleet.ts';

type PartName = 'accounts' | 'activity' | 'capacity' | 'fleet' | 'routing';

const route = adminRouteWith<PartName>();

const ONE = '/admin/v1/providers/{id}';
const providerRoute = {
  group: 'Admin: providers',
  answer: provider,
  returns: 'The provider.',
  errors: ['not_found'],
} as const;

/** The routes that show providers, and that drain them. */
export const providerRoutes = [
  route(
    {
      method: 'GET',
      path: '/admin/v1/providers',
      group: providerRoute.group,
      summary: 'Lists the providers with their health and load',
      answer: listOf(provider),
      returns: 'All providers.',
    },
    async ({ exchange }, parts) =>
      listView(await providerViewsInFleet([...exchange.snapshot.providers.values()], parts)),
  ),
  route(
    { ...providerRoute, method: 'GET', path: ONE, summary: 'Shows a provider' },
    ({ exchange, params }, parts) => providerViewInFleet(findProvider(params.id, exchange.snapshot), parts),
  ),
  route(
    {
      ...providerRoute,
      method: 'POST',
      path: `${ONE}/drain`,
      summary: 'Drains a provider: it accepts no new requests, and requests in flight finish',
    },
    ({ exchange, params, actor }, parts) =>
      setDrained(findProvider(params.id, exchange.snapshot), { drained: true, actor }, parts),
  ),
  route(
    {
      ...providerRoute,
      method: 'POST',
      path: `${ONE}/undrain`,
      summary: 'Returns a drained provider to routing',
    },
    ({ exchange, params, actor }, parts) =>
      setDrained(findProvider(params.id, exchange.snapshot), { drained: false, actor }, parts),
  ),
];

/** Drains a provider, or ends its drain, and shows it. */
async function setDrained(
  provider: Provider,
  { drained, actor }: { drained: boolean; actor: string },
  parts: Pick<AdminParts, PartName>,
): Promise<ProviderView> {
  const before = await parts.routing.isDrained(provider.id);
  if (before !== drained) {
    const action = drained ? 'provider-drain' : 'provider-undrain';
    const change = { before: { drained: before }, after: { drained }, actor };
    // The audit entry is written first, so that no drain lacks one.
    await parts.accounts.record(action, provider.id, change);
    await parts.routing.setDrained(provider.id, drained);
  }
  return providerViewInFleet(provider, parts);
}

/** Returns the provider with an id. An unknown id is refused. */
const findProvider = (id: string, snapshot: Snapshot): Provider =>
  accepted(snapshot.providers.get(id) ?? unknownProvider(id, snapshot));
