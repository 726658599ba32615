import type { CatalogProblem, CatalogSource } from '../catalog/catalog-source.ts';
import type { CatalogModelRow } from '../config/catalog-schema.ts';
import { type BaseRow, mergeModel } from '../stored/merge-model.ts';
import type { StoredModel } from '../stored/stored-rows.ts';

/** Reports a problem of a stored model. */
export type ReportStored = (id: string, problem: CatalogProblem) => void;

/**
 * Returns the stored models as a source of the catalog.
 * Models that cannot be merged are reported and left out.
 */
export function storedSource(
  models: readonly StoredModel[],
  sources: readonly CatalogSource[],
  report: ReportStored,
): CatalogSource {
  const bases = basesOf(models, sources);
  const merged = models.flatMap((stored) => {
    const base = bases.get(stored.id);
    // A row of the file takes the place of a stored one that did not lie over it.
    if (!stored.isOverlay && base && !base.isDefault) return [];
    if (stored.isOverlay && !base) return [];
    const result = mergeModel(stored, base);
    if ('row' in result) return [result];
    report(stored.id, result.problem);
    return [];
  });
  return {
    file: { models: merged.map(({ row }) => row), handles: {}, previews: {} },
    isDefault: false,
    stored: merged.map(({ stored, isDefault }) => ({
      isDefault,
      isHidden: stored.isHidden,
      hasPrices: 'pricing_usd_per_mtok' in stored.fields,
    })),
    report: ({ path: [, index, ...path], message }) =>
      report(merged[index as number]!.stored.id, { path, message }),
  };
}

/** Returns the rows of files with the ids of stored models. A later source wins. */
function basesOf(models: readonly StoredModel[], sources: readonly CatalogSource[]): Map<string, BaseRow> {
  const wanted = new Set(models.map(({ id }) => id));
  const bases = new Map<string, BaseRow>();
  for (const { file, isDefault } of sources)
    for (const row of file.models) if (wanted.has(row.id)) bases.set(row.id, { row, isDefault });
  return bases;
}

/** The origin of a row of the catalog. */
export type ModelSource = 'file' | 'built-in' | 'found' | 'stored';

/** A row of the catalog before prices of a file replace its own. */
export type SourcedRow = { row: CatalogModelRow; source: ModelSource; stored: StoredModel | undefined };

/** Returns all rows of the sources by id. The last source has the stored models. */
export function rowsOfSources(
  sources: readonly CatalogSource[],
  models: readonly StoredModel[],
): Map<string, SourcedRow> {
  const byId = new Map(models.map((model) => [model.id, model]));
  const rows = new Map<string, SourcedRow>();
  for (const source of sources)
    for (const row of source.file.models)
      rows.set(row.id, {
        row,
        source: nameOf(source),
        stored: source.stored && byId.get(row.id),
      });
  return rows;
}

function nameOf({ isDefault, stored }: CatalogSource): ModelSource {
  if (stored) return 'stored';
  return isDefault ? 'built-in' : 'file';
}
