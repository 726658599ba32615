import type { ImageForm, MeteredAsk } from '../../canonical/metered.ts';
import type { ImagesRequest } from './request-schema.ts';

/** Names of the number of images in other servers. The credit is held for `n` images. */
// biome-ignore format: a line for each group
export const OTHER_COUNTS: readonly string[] = [
  'num_images', 'num_images_per_prompt', 'num_outputs', 'number_of_images', 'numberOfImages',
  'sampleCount', 'sample_count', 'samples', 'num_samples', 'batch_size',
];

/** Allowance for tokens that vendors add to a prompt. */
const FRAMING_TOKENS = 32;

/** Returns what a request for images asks for. `imagesIn`: the images that it sends. */
export function imagesAsk({ prompt, n }: ImagesRequest, image: ImageForm, imagesIn = 0): MeteredAsk {
  const count = n ?? 1;
  return {
    counts: { image: count },
    image,
    text: prompt,
    most: { input: Buffer.byteLength(prompt) + FRAMING_TOKENS, output: 0, imagesIn, imagesOut: count },
  };
}
