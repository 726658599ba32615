import type { Provider } from '../../settings/hosts/providers.ts';
import type { AdminParts } from './admin-parts.ts';
import { gatherParsed } from './gather-parsed.ts';
import { joinProviderViews } from './join-provider-views.ts';
import type { ProviderView } from './provider-schema.ts';
import { providerView, type ViewSources } from './provider-view.ts';

type Sources = ViewSources & Pick<AdminParts, 'fleet'>;

/**
 * Returns the views of providers over all processes of the server. A provider that another process does not
 * know has one view less.
 */
export async function providerViewsInFleet(
  providers: readonly Provider[],
  sources: Sources,
): Promise<ProviderView[]> {
  const views = providers.map((provider) => providerView(provider, sources));
  if (!sources.fleet) return views;
  const answers = await gatherParsed<ProviderView[]>(sources.fleet, 'providers', '');
  const viewsOfId = Map.groupBy(answers.flat(), ({ id }) => id);
  return views.map((view) => joinProviderViews(viewsOfId.get(view.id) ?? [view]));
}

/** Returns the view of one provider over all processes of the server. */
export const providerViewInFleet = async (provider: Provider, sources: Sources): Promise<ProviderView> =>
  (await providerViewsInFleet([provider], sources))[0]!;

/** Answers the other processes with this process's views of all providers. */
export function answerProviderViews(providers: () => Iterable<Provider>, sources: Sources): void {
  sources.fleet?.answer('providers', () =>
    JSON.stringify([...providers()].map((provider) => providerView(provider, sources))),
  );
}
