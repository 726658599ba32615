import type { Fields } from '../../base/schema/json-type.ts';
import type { CatalogModelRow } from '../../settings/config/catalog-schema.ts';
import type { PriceRow } from '../../settings/config/price-schema.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The fields that form and API set, as they are in force. */
export type EffectiveRow = CatalogModelRow & { hidden: boolean };

/**
 * Returns the row of a model with the prices that are in force.
 * Returns undefined if no source has a row of this id.
 */
export function effectiveRow({ rows, config, catalog }: Snapshot, id: string): EffectiveRow | undefined {
  const sourced = rows().get(id);
  if (!sourced) return undefined;
  const { row, stored } = sourced;
  const hidden = stored?.isHidden ?? false;
  const name = Object.keys(config.catalog.prices).find((each) => catalog.find(each)?.model.id === id);
  const isOwn = stored !== undefined && 'pricing_usd_per_mtok' in stored.fields;
  if (name === undefined || isOwn) return { ...row, hidden };
  return { ...row, pricing_usd_per_mtok: pricesOf(config.catalog.prices[name]!), hidden };
}

const pricesOf = ({ input, output, cached_input, conditions }: PriceRow) => ({
  input,
  output,
  cached_input,
  ...(conditions && { conditions }),
});

export type RowChange = { field: string; before: unknown; after: unknown };

/** Compares two rows field by field. Without a row on one side, only `names` are compared. */
export function changesBetween(
  before: Fields | undefined,
  after: Fields | undefined,
  names: Iterable<string>,
): RowChange[] {
  const fields = before && after ? new Set([...Object.keys(before), ...Object.keys(after)]) : new Set(names);
  return [...fields]
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => !Bun.deepEquals(change.before, change.after));
}
