import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { UncachedTokens } from './rate-choices.ts';

/**
 * Returns the most tokens that a request to a metered endpoint can use. `imageTokens`: the most of one image.
 */
export const maxMeteredTokens = (
  { most: { input, output, imagesIn = 0, imagesOut = 0 } }: MeteredAsk,
  imageTokens: number,
): UncachedTokens => ({ input: input + imagesIn * imageTokens, output: output + imagesOut * imageTokens });
