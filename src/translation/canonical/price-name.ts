/** Hosted calls, priced in USD per 1,000 calls. */
export const callPriceNames = ['web_search', 'image_generation'] as const;

/** Tokens with a separate price, in USD per million tokens. */
export const tokenPriceNames = [
  'cache_write_5m',
  'cache_write_1h',
  'cache_write_30m',
  'cache_write_12h',
  'image_input',
  'audio_input',
  'audio_output',
] as const;

/** Ways to serve a request that multiply the token rates: a tier, or the region `inference_geo`. */
export const factorPriceNames = ['fast', 'ultrafast', 'priority', 'flex', 'inference_geo'] as const;

/** The names of one faster tier. A vendor can answer with either of them. */
export const fasterTiers: readonly FactorPrice[] = ['fast', 'priority'];

/** Every price that a model's row can have in `extras_usd`. */
export const priceNames = [...callPriceNames, ...tokenPriceNames, ...factorPriceNames] as const;

export type CallPrice = (typeof callPriceNames)[number];
export type TokenPrice = (typeof tokenPriceNames)[number];
export type FactorPrice = (typeof factorPriceNames)[number];
export type PriceName = (typeof priceNames)[number];

/** Reports whether a price is one of hosted calls. */
export const isCallPrice = (price: PriceName): price is CallPrice =>
  (callPriceNames as readonly PriceName[]).includes(price);
