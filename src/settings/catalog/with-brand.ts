import type { Names } from '../../base/lib/names.ts';
import type { CatalogFile } from '../config/catalog-schema.ts';

const WRITTEN_PREFIX = '@svc/';

/** Renames the open-weight ids of the default catalog from the default brand to the configured one. */
export function withBrand(file: CatalogFile, names: Names): CatalogFile {
  if (names.openWeightPrefix === WRITTEN_PREFIX) return file;
  const rename = (id: string): string =>
    id.startsWith(WRITTEN_PREFIX) ? names.openWeightPrefix + id.slice(WRITTEN_PREFIX.length) : id;
  const renameAll = (bridges: CatalogFile['handles']) =>
    Object.fromEntries(Object.entries(bridges).map(([name, id]) => [name, rename(id)]));
  return {
    models: file.models.map((row) => ({
      ...row,
      id: rename(row.id),
      comparable: row.comparable.map(rename),
    })),
    handles: renameAll(file.handles),
    previews: renameAll(file.previews),
  };
}
