import type { Extra } from '../canonical/extra.ts';
import type { PriceName } from '../canonical/price-name.ts';

/** An extra, and the price that bills it, if there can be one. */
export type PricedExtra = { extra: Extra; price: PriceName | undefined };

/** Decides about an extra: it is billed, it passes without being billed, or it does not pass. */
export type DecideExtra = (extra: PricedExtra) => 'billed' | 'unbilled' | 'refused';
