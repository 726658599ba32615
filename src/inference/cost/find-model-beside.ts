import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { undated } from '../../settings/catalog/find-upstream-model.ts';

/** The part of the catalog that finds models of tools and fallbacks. */
export type ConsultedCatalog = Pick<Catalog, 'entries'> & Partial<Pick<Catalog, 'consulted'>>;

/** Finds the catalog's model for a name in a tool or a fallback: the vendor's name or a public id. */
export const findModelBeside = (
  name: string | undefined,
  catalog: ConsultedCatalog,
): CatalogEntry | undefined =>
  name === undefined ? undefined : (findNamed(name, catalog) ?? catalog.consulted?.(name));

/** An alias does not count, since it may stand for another model. */
function findNamed(name: string, { entries }: ConsultedCatalog): CatalogEntry | undefined {
  const routedTo = (isName: (upstreamModel: string) => boolean) =>
    entries.find(({ targets }) => targets.some(({ upstreamModel }) => isName(upstreamModel)));
  const bare = undated(name);
  return (
    routedTo((upstreamModel) => upstreamModel === name) ??
    routedTo((upstreamModel) => undated(upstreamModel) === bare) ??
    entries.find(({ model }) => undated(model.id) === bare)
  );
}
