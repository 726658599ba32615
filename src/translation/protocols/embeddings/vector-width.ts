import { Refusal } from '../../../base/errors/refusal.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';
import type { EmbeddingsRequest } from './request-schema.ts';

/**
 * Returns the width to request from the host, or undefined if the host makes the right width unasked.
 * Refuses a width that the model cannot have.
 */
export function vectorWidth(
  { dimensions }: Pick<EmbeddingsRequest, 'dimensions'>,
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

const refuse = (problem: string): Refusal =>
  new Refusal('route_not_qualified', { param: 'dimensions', message: `dimensions: ${problem}` });
