import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** Finds the model with this name at the provider, else at any provider, else with this public name. */
export function findUpstreamModel(
  name: string,
  catalog: Pick<Snapshot['catalog'], 'entries' | 'find'>,
  providerId: string,
): CatalogEntry | undefined {
  const has = ({ targets }: CatalogEntry, isThere: (provider: string) => boolean) =>
    targets.some(({ upstreamModel, provider }) => upstreamModel === name && isThere(provider.id));
  return (
    catalog.entries.find((entry) => has(entry, (id) => id === providerId)) ??
    catalog.entries.find((entry) => has(entry, () => true)) ??
    catalog.find(name)
  );
}
