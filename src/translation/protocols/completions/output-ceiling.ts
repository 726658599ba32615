import type { EncodeTarget } from '../codec.ts';

/** Hosts of this protocol stop after 16 tokens when nothing is asked for: no chat model is used like that. */
export const DEFAULT_CEILING = 1_024;

export const outputCeiling = (
  asked: number | null | undefined,
  { maxOutput = Infinity }: EncodeTarget,
): number => Math.min(asked ?? DEFAULT_CEILING, maxOutput);
