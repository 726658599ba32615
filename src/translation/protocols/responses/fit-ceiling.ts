import { leastCeilings } from '../../canonical/least-ceilings.ts';
import type { EncodeTarget } from '../../contract/encode-target.ts';

/** Fits an output ceiling to the smallest one that the vendor accepts, and to the largest of the target. */
export const fitCeiling = (ceiling: number, { maxOutput = Infinity }: EncodeTarget): number =>
  Math.max(Math.min(ceiling, maxOutput), leastCeilings['openai-responses']);
