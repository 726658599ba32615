import type { Provider } from '../../settings/hosts/providers.ts';
import type { AdminParts } from './admin-parts.ts';
import { joinProviderViews } from './join-provider-views.ts';
import { type ProviderView, providerView, type ViewSources } from './provider-view.ts';

type Sources = ViewSources & Pick<AdminParts, 'fleet'>;

/**
 * Returns the views of providers over all processes of the server.
 * A provider that another process does not know has one view less.
 */
export async function viewsInFleet(
  providers: readonly Provider[],
  sources: Sources,
): Promise<ProviderView[]> {
  const own = providers.map((provider) => providerView(provider, sources));
  if (!sources.fleet) return own;
  const answers = await sources.fleet.gather('providers', '');
  const views = Map.groupBy(
    answers.flatMap(({ answer }) => (answer === '' ? [] : (JSON.parse(answer) as ProviderView[]))),
    ({ id }) => id,
  );
  return own.map((view) => joinProviderViews(views.get(view.id) ?? [view]));
}

export const viewInFleet = async (provider: Provider, sources: Sources): Promise<ProviderView> =>
  (await viewsInFleet([provider], sources))[0]!;

/** Answers the other processes with this process's views of all providers. */
export function answerFleet(providers: () => Iterable<Provider>, sources: Sources): void {
  sources.fleet?.answer('providers', () =>
    JSON.stringify([...providers()].map((provider) => providerView(provider, sources))),
  );
}
