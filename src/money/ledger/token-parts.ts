import type { TokenPrice } from '../../translation/canonical/price-name.ts';

/** A part of a token total that can have a price of its own. */
type TokenPart = {
  /** The total that includes the part. Its rate is that of a part without a price. */
  of: 'input' | 'output';
  /** True for input that is written to a cache. */
  isWrite: boolean;
};

/** The parts of the token totals by the names of their prices. */
export const tokenParts: Readonly<Record<TokenPrice, TokenPart>> = {
  cache_write_5m: { of: 'input', isWrite: true },
  cache_write_1h: { of: 'input', isWrite: true },
  cache_write_30m: { of: 'input', isWrite: true },
  cache_write_12h: { of: 'input', isWrite: true },
  image_input: { of: 'input', isWrite: false },
  audio_input: { of: 'input', isWrite: false },
  audio_output: { of: 'output', isWrite: false },
};
