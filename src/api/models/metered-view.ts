import type { MeteredPrices } from '../../settings/catalog/metered-prices.ts';

/** Shows the prices of quantities other than tokens, in the form of the configuration. */
export const meteredView = (prices: MeteredPrices) => ({
  ...(prices.perImage.length > 0 && {
    per_image: prices.perImage.map(({ size, quality, usd }) => ({
      ...(size !== null && { size }),
      ...(quality !== null && { quality }),
      usd,
    })),
  }),
  ...(prices.perSecond !== null && { per_second: prices.perSecond }),
  ...(prices.perMillionCharacters !== null && { per_million_characters: prices.perMillionCharacters }),
  ...(prices.per1000Documents !== null && { per_1000_documents: prices.per1000Documents }),
  ...(prices.perRequest > 0 && { per_request: prices.perRequest }),
});
