import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { foldForm, type ImageForm, type MeteredAsk } from '../../canonical/metered.ts';
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
export function askedImages(value: JsonObject, imagesIn = 0): MeteredAsk {
  const { prompt, n } = value as ImagesRequest;
  const count = n ?? 1;
  return {
    counts: { image: count },
    image: formOf(value),
    text: prompt,
    most: { input: Buffer.byteLength(prompt) + FRAMING_TOKENS, output: 0, imagesIn, imagesOut: count },
  };
}

/** Reads the form of images from a request or an answer. The word `auto` leaves it to the model. */
export function formOf({ size, quality, width, height }: JsonObject): ImageForm {
  return { size: wordOf(size) ?? sidesOf({ width, height }), quality: wordOf(quality) };
}

const sidesOf = ({ width, height }: JsonObject): string | undefined =>
  [width, height].every((side) => /^\d+$/.test(String(side))) ? `${width}x${height}` : undefined;

function wordOf(value: unknown): string | undefined {
  const word = typeof value === 'string' ? foldForm(value) : 'auto';
  return word === 'auto' || word === '' ? undefined : word;
}

/**
 * Refuses a request whose size is not that of its sides.
 * Some hosts take the sides, and the price is that of the size.
 */
export function refuseTwoSizes({ size, ...sides }: JsonObject): Refusal | undefined {
  const [word, { width, height }] = [wordOf(size), sides];
  if (word === undefined || (width == null && height == null) || word === sidesOf(sides)) return undefined;
  return invalidParam('size', 'must be that of width and height');
}
