import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { foldForm, type ImageForm } from '../../canonical/metered.ts';

/** Reads the form of images from a request or an answer. The word `auto` leaves it to the model. */
export const imageForm = ({ size, quality, width, height }: JsonObject): ImageForm => ({
  size: wordOf(size) ?? sidesOf(width, height),
  quality: wordOf(quality),
});

const sidesOf = (width: unknown, height: unknown): string | undefined =>
  [width, height].every((side) => typeof side !== 'object' && /^\d+$/.test(String(side)))
    ? `${width}x${height}`
    : undefined;

function wordOf(value: unknown): string | undefined {
  const word = typeof value === 'string' ? foldForm(value) : 'auto';
  return word === 'auto' || word === '' ? undefined : word;
}

/**
 * Refuses a request whose size is not that of its sides.
 * Some hosts take the sides, and the price is that of the size.
 */
export function refuseTwoSizes({ size, width, height }: JsonObject): Refusal | undefined {
  const word = wordOf(size);
  const hasSides = width != null || height != null;
  if (word === undefined || !hasSides || word === sidesOf(width, height)) return undefined;
  return invalidParam('size', 'must be that of width and height');
}
