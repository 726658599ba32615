import type { EncodeTarget } from '../../contract/encode-target.ts';

/**
 * The default token limit. Hosts of this protocol would otherwise stop after 16 tokens, too few for a chat
 * answer.
 */
export const DEFAULT_CEILING = 1_024;

/** Returns the token limit to send: the client's or the default, but never more than the model's. */
export const outputCeiling = (
  ceiling: number | null | undefined,
  { maxOutput = Infinity }: EncodeTarget,
): number => Math.min(ceiling ?? DEFAULT_CEILING, maxOutput);
