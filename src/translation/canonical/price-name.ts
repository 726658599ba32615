/** Hosted calls, priced in USD per 1,000 calls. */
export const callPrices = ['web_search', 'image_generation'] as const;

/** Tokens with a price of their own, in USD per million tokens. */
export const tokenPrices = [
  'cache_write_5m',
  'cache_write_1h',
  'cache_write_30m',
  'cache_write_12h',
  'image_input',
  'audio_input',
  'audio_output',
] as const;

/** Ways to serve a request that multiply the token rates. */
export const factorPrices = ['fast', 'ultrafast', 'priority', 'flex', 'inference_geo'] as const;

/** Vendors have two names for one tier, and may answer with the other one. */
export const fasterTiers: readonly FactorPrice[] = ['fast', 'priority'];

/** Every price that a model's row can have in `extras_usd`. */
export const priceNames = [...callPrices, ...tokenPrices, ...factorPrices] as const;

export type CallPrice = (typeof callPrices)[number];
export type TokenPrice = (typeof tokenPrices)[number];
export type FactorPrice = (typeof factorPrices)[number];
export type PriceName = (typeof priceNames)[number];

/** Reports whether a price is one of hosted calls. */
export const isCallPrice = (price: PriceName): price is CallPrice =>
  (callPrices as readonly PriceName[]).includes(price);
