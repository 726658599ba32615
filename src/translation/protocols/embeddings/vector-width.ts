import type { Refusal } from '../../../base/errors/refusal.ts';
import { unqualifiedParam } from '../../../base/errors/unqualified-param.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';

/**
 * Returns the width to request from the host, or undefined if the host makes the right width unasked.
 * Refuses a width that the model cannot have.
 */
export function vectorWidth(
  dimensions: number | null | undefined,
  vectors: EncodeTarget['vectors'],
): number | undefined | Refusal {
  if (!vectors) return dimensions ?? undefined;
  const { width, canShorten, sendsWidth } = vectors;
  if (dimensions != null && dimensions > width)
    return refuse(`the chosen model's vectors have at most ${width} dimensions`);
  if (dimensions != null && dimensions < width && !canShorten)
    return refuse(`the chosen model's vectors always have ${width} dimensions`);
  return sendsWidth ? (dimensions ?? width) : undefined;
}

const refuse = (problem: string): Refusal => unqualifiedParam('dimensions', problem);
