import type { CatalogSource } from '../catalog/catalog-source.ts';
import type { CatalogModelRow } from '../config/catalog-schema.ts';
import type { StoredModel } from '../stored/stored-rows.ts';

/** The origin of a row of the catalog. */
export type ModelSource = 'file' | 'built-in' | 'found' | 'stored';

/** A row of the catalog before prices of a file replace its own. */
export type SourcedRow = { row: CatalogModelRow; source: ModelSource; stored: StoredModel | undefined };

/** Returns all rows of the sources by id. The last source has the stored models. */
export function sourcedRows(
  sources: readonly CatalogSource[],
  models: readonly StoredModel[],
): Map<string, SourcedRow> {
  const byId = new Map(models.map((model) => [model.id, model]));
  const rows = new Map<string, SourcedRow>();
  for (const source of sources)
    for (const row of source.file.models)
      rows.set(row.id, {
        row,
        source: nameOfSource(source),
        stored: source.stored && byId.get(row.id),
      });
  return rows;
}

function nameOfSource({ isDefault, stored }: CatalogSource): ModelSource {
  if (stored) return 'stored';
  return isDefault ? 'built-in' : 'file';
}
