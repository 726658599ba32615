import type { CatalogModelRow } from '../../settings/config/catalog-schema.ts';
import type { PriceRow } from '../../settings/config/price-schema.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** The fields that form and API set, as they are in force. */
export type EffectiveRow = CatalogModelRow & { hidden: boolean };

/**
 * Returns the row of a model with the prices that are in force. Returns undefined if no source has a row of
 * this id.
 */
export function effectiveRow({ rows, config, catalog }: Snapshot, id: string): EffectiveRow | undefined {
  const sourced = rows().get(id);
  if (!sourced) return undefined;
  const { row, stored } = sourced;
  const hidden = stored?.isHidden ?? false;
  const [, prices] =
    Object.entries(config.catalog.prices).find(([name]) => catalog.find(name)?.model.id === id) ?? [];
  const hasOwnPrices = stored !== undefined && 'pricing_usd_per_mtok' in stored.fields;
  return prices && !hasOwnPrices
    ? { ...row, pricing_usd_per_mtok: pricesOf(prices), hidden }
    : { ...row, hidden };
}

const pricesOf = ({ input, output, cached_input, conditions }: PriceRow) => ({
  input,
  output,
  cached_input,
  ...(conditions && { conditions }),
});
