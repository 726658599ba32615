import type { JsonObject } from '../../../base/json/json-body.ts';
import type { ImageForm, MeteredAsk } from '../../canonical/metered.ts';
import type { ImagesRequest } from './request-schema.ts';

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
  const sides = Number.isInteger(width) && Number.isInteger(height) ? `${width}x${height}` : undefined;
  return { size: wordOf(size) ?? sides, quality: wordOf(quality) };
}

const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== 'auto' ? value : undefined;
