import type { EncodeTarget } from '../../contract/codec.ts';

/**
 * The default token limit. Hosts of this protocol would otherwise stop after 16
 * tokens, too few for a chat answer.
 */
export const DEFAULT_CEILING = 1_024;

export const outputCeiling = (
  ceiling: number | null | undefined,
  { maxOutput = Infinity }: EncodeTarget,
): number => Math.min(ceiling ?? DEFAULT_CEILING, maxOutput);
