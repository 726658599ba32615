import type { CatalogModelRow } from './catalog-schema.ts';

/** The fields of a model that have token prices, each for one way of paying. */
export const pricingFields = [
  'pricing_usd_per_mtok',
  'payg_pricing_usd_per_mtok',
  'native_batch_pricing_usd_per_mtok',
] as const satisfies readonly (keyof CatalogModelRow)[];
