import { didYouMean } from '../../base/schema/did-you-mean.ts';
import type { CatalogEntry } from './catalog.ts';
import type { CatalogSource } from './catalog-source.ts';
import { pricingOf } from './model-of-row.ts';
import { confirmationsOf } from './price-confirmations.ts';

/** Gives models the prices of a source, except those that keep the prices of their stored rows. */
export function replacePrices(
  { prices = {}, report }: CatalogSource,
  spellings: ReadonlyMap<string, CatalogEntry>,
  entriesWithOwnPrices: ReadonlySet<CatalogEntry>,
): void {
  for (const [name, price] of Object.entries(prices)) {
    const entry = spellings.get(name);
    if (!entry) {
      const message = `must name a model; there is no '${name}'${didYouMean(name, spellings.keys())}`;
      report({ path: ['prices', name], message });
    } else if (!entriesWithOwnPrices.has(entry)) {
      const confirmations = confirmationsOf(price, { isDefault: false });
      entry.model = { ...entry.model, pricing: pricingOf(price), confirmations };
    }
  }
}
