import { Refusal } from '../../base/errors/refusal.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import { type AdminDependencies, actorOf } from './admin-dependencies.ts';
import { adminDescriptions as told } from './admin-descriptions.ts';
import { listView } from './list-view.ts';
import { viewInFleet, viewsInFleet } from './provider-views-in-fleet.ts';

export function providerRoutes(dependencies: AdminDependencies): Route[] {
  const { accounts, activity } = dependencies;
  const viewOf = (provider: Provider) => viewInFleet(provider, dependencies);

  const list: Route['handle'] = async ({ snapshot }) => {
    const views = await viewsInFleet([...snapshot.providers.values()], dependencies);
    return jsonReply(200, listView(views));
  };

  const show: Route['handle'] = async (exchange) => {
    const provider = named(exchange);
    return provider instanceof Refusal ? provider : jsonReply(200, await viewOf(provider));
  };

  const setDrained =
    (drained: boolean): Route['handle'] =>
    async (exchange) => {
      const provider = named(exchange);
      if (provider instanceof Refusal) return provider;
      const before = activity.isDrained(provider.id);
      if (before !== drained) {
        const action = drained ? 'provider-drain' : 'provider-undrain';
        const change = { before: { drained: before }, after: { drained }, actor: actorOf(exchange) };
        await accounts.record(action, provider.id, change); // written first: no change without its audit entry
        await dependencies.routing.setDrained(provider.id, drained);
      }
      return jsonReply(200, await viewOf(provider));
    };

  return [
    { method: 'GET', path: '/admin/v1/providers', handle: list, describe: told.listProviders },
    { method: 'GET', path: '/admin/v1/providers/{id}', handle: show, describe: told.showProvider },
    {
      method: 'POST',
      path: '/admin/v1/providers/{id}/drain',
      handle: setDrained(true),
      describe: told.drainProvider,
    },
    {
      method: 'POST',
      path: '/admin/v1/providers/{id}/undrain',
      handle: setDrained(false),
      describe: told.undrainProvider,
    },
  ];
}

const named = ({ snapshot, params }: Exchange): Provider | Refusal =>
  snapshot.providers.get(params.id!) ?? unknownProvider(params.id!, snapshot.providers.keys());

function unknownProvider(id: string, known: Iterable<string>): Refusal {
  const hint = didYouMean(id, known);
  return new Refusal('not_found', { message: `There is no such provider${hint === '' ? '.' : hint}` });
}
