import { Refusal } from '../../../base/errors/refusal.ts';
import type { EncodeTarget } from '../../contract/codec.ts';
import type { EmbeddingsRequest } from './request-schema.ts';

/**
 * Returns the width that the host is asked for, or undefined if the model's own width applies without a word.
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
