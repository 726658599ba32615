import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { CatalogModelRow } from '../config/catalog-schema.ts';
import { checkModel } from './check-rows.ts';
import type { StoredModel } from './stored-rows.ts';

export type MergedModel = {
  stored: StoredModel;
  row: CatalogModelRow;
  /** True if the row changes a row of the default catalog. */
  isDefault: boolean;
};

/** The row of another source that a stored model changes. */
export type BaseRow = { row: CatalogModelRow; isDefault: boolean };

type Merged = MergedModel | { stored: StoredModel; problem: SchemaProblem };

const mergedModels = new WeakMap<StoredModel, { base: CatalogModelRow | undefined; result: Merged }>();

/** Merges a stored model with the row below it. The result is kept, since each reload asks for it. */
export function mergeModel(stored: StoredModel, base: BaseRow | undefined): Merged {
  const known = mergedModels.get(stored);
  if (known && known.base === base?.row) return known.result;
  const checked = checkModel({
    ...(stored.isOverlay ? base?.row : undefined),
    ...stored.fields,
    id: stored.id,
  });
  const isDefault = stored.isOverlay && (base?.isDefault ?? false);
  const result = 'row' in checked ? { stored, row: checked.row, isDefault } : { stored, ...checked };
  mergedModels.set(stored, { base: base?.row, result });
  return result;
}
