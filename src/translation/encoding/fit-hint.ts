import { createHash } from 'node:crypto';

/**
 * Shortens a hint to the length that a vendor accepts, so that a long hint never causes a refusal. Agents put
 * whole objects into hints. A longer hint is replaced by its hash, which is the same for the same hint.
 */
export function fitHint(hint: string | undefined, maxLength: number): string | undefined {
  if (hint === undefined || hint === '') return undefined;
  return hint.length <= maxLength ? hint : createHash('sha256').update(hint).digest('base64url');
}

/** The limit of `prompt_cache_key` and `safety_identifier` in both OpenAI protocols. */
export const MAX_OPENAI_HINT_LENGTH = 64;
