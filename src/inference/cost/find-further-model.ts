import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { undated } from '../../settings/catalog/find-upstream-model.ts';

/** The part of the catalog that finds models of tools and fallbacks. */
export type ConsultedCatalog = Pick<Catalog, 'entries'> & Partial<Pick<Catalog, 'unlistedModel'>>;

/** Finds the catalog's model for a name in a tool or a fallback: the vendor's name or a public id. */
export const findFurtherModel = (
  name: string | undefined,
  catalog: ConsultedCatalog,
): CatalogEntry | undefined =>
  name === undefined ? undefined : (findNamed(name, catalog) ?? catalog.unlistedModel?.(name));

type NameIndex = Record<'upstream' | 'undatedUpstream' | 'undatedId', Map<string, CatalogEntry>>;

/** A request can name a model in each of its many tools, so the names of a catalog are indexed once. */
const indexes = new WeakMap<readonly CatalogEntry[], NameIndex>();

/** An alias does not count, since it may stand for another model. */
function findNamed(name: string, { entries }: ConsultedCatalog): CatalogEntry | undefined {
  const { upstream, undatedUpstream, undatedId } = indexes.getOrInsertComputed(entries, indexOf);
  const bare = undated(name);
  return upstream.get(name) ?? undatedUpstream.get(bare) ?? undatedId.get(bare);
}

/** The first of several models with one name counts. */
function indexOf(entries: readonly CatalogEntry[]): NameIndex {
  const index: NameIndex = { upstream: new Map(), undatedUpstream: new Map(), undatedId: new Map() };
  for (const entry of entries) {
    for (const { upstreamModel } of entry.targets) {
      index.upstream.getOrInsert(upstreamModel, entry);
      index.undatedUpstream.getOrInsert(undated(upstreamModel), entry);
    }
    index.undatedId.getOrInsert(undated(entry.model.id), entry);
  }
  return index;
}
