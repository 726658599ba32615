import type { CatalogProblem, CatalogSource } from '../catalog/catalog-source.ts';
import { type BaseRow, mergeModel } from '../stored/merge-model.ts';
import type { StoredModel } from '../stored/stored-rows.ts';

/** Reports a problem of the stored model with this id. */
export type ReportStored = (id: string, problem: CatalogProblem) => void;

/**
 * Returns the stored models as a source of the catalog. Models that cannot be merged are reported and left
 * out.
 */
export function storedSource(
  models: readonly StoredModel[],
  sources: readonly CatalogSource[],
  report: ReportStored,
): CatalogSource {
  const bases = basesOf(models, sources);
  const merged = models.flatMap((stored) => {
    const base = bases.get(stored.id);
    // A row of a file replaces a stored row of the same id that is no overlay.
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
  const storedIds = new Set(models.map(({ id }) => id));
  const bases = new Map<string, BaseRow>();
  for (const { file, isDefault } of sources)
    for (const row of file.models) if (storedIds.has(row.id)) bases.set(row.id, { row, isDefault });
  return bases;
}
