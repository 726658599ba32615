import type { Steps } from '../../base/lib/in-slices.ts';
import type { CatalogSource, StoredTraits } from './catalog-source.ts';
import type { Model } from './model.ts';
import { modelOfRow } from './model-of-row.ts';

/** A model with the place of its row, where its problems are reported. */
export type PlacedModel = {
  model: Model;
  isDefault: boolean;
  /** Undefined for a row of a file. */
  stored: StoredTraits | undefined;
  report: (field: (string | number)[], message: string) => void;
};

/** Merges the models of the sources. If two models have the same id, the later source wins. */
export function* placeModels(sources: readonly CatalogSource[]): Steps<PlacedModel[]> {
  const byId = new Map<string, PlacedModel>();
  for (const source of sources) {
    const idsOfSource = new Set<string>();
    for (const [index, row] of source.file.models.entries()) {
      const report: PlacedModel['report'] = (field, message) =>
        source.report({ path: ['models', index, ...field], message });
      if (idsOfSource.has(row.id)) report(['id'], `is repeated in this file: '${row.id}'`);
      idsOfSource.add(row.id);
      const stored = source.stored?.[index];
      const isDefault = stored?.isDefault ?? source.isDefault;
      byId.set(row.id, { model: modelOfRow(row, { isDefault }), isDefault, stored, report });
      yield;
    }
  }
  return [...byId.values()];
}
