import type { Catalog, CatalogEntry } from './catalog.ts';

/** The date with which vendors end the names of a model's versions. */
const DATE = /[-@]\d{8}$/;
export const undated = (name: string): string => name.replace(DATE, '');

/**
 * Finds the model with this name at the provider, else at any provider, else with this public name. A dated
 * name finds the model without the date, and the reverse.
 */
export function findUpstreamModel(
  name: string,
  catalog: Pick<Catalog, 'entries' | 'find'>,
  providerId?: string,
): CatalogEntry | undefined {
  const at = (isThere: (provider: string) => boolean, isName: (upstreamModel: string) => boolean) =>
    catalog.entries.find(({ targets }) =>
      targets.some(({ upstreamModel, provider }) => isThere(provider.id) && isName(upstreamModel)),
    );
  const same = (upstreamModel: string) => upstreamModel === name;
  return (
    at((id) => id === providerId, same) ??
    at(() => true, same) ??
    catalog.find(name) ??
    at(
      () => true,
      (upstreamModel) => undated(upstreamModel) === undated(name),
    ) ??
    catalog.find(undated(name))
  );
}
