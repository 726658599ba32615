import type { MeteredAsk } from '../../translation/canonical/metered.ts';
import type { UncachedTokens } from './rate-choices.ts';

/** Returns the most tokens that a request to a metered endpoint can use. */
export const maxMeteredTokens = (
  { most: { input, output, imagesIn = 0, imagesOut = 0 } }: MeteredAsk,
  maxTokensPerImage: number,
): UncachedTokens => ({
  input: input + imagesIn * maxTokensPerImage,
  output: output + imagesOut * maxTokensPerImage,
});
