import { createHash } from 'node:crypto';

/**
 * A hint as long as a vendor takes it: agents put whole objects into theirs, and a request must not be refused for a hint. What stands in
 * for a longer one is the same for the same hint, which is all that it is good for.
 */
export function fitHint(hint: string | undefined, most: number): string | undefined {
  if (hint === undefined || hint === '') return undefined;
  return hint.length <= most ? hint : createHash('sha256').update(hint).digest('base64url');
}

/** `prompt_cache_key` and `safety_identifier`, in both of OpenAI's protocols. */
export const MOST_OF_OPENAI = 64;
