import type { Countable } from './countable.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenFamily } from './token-families.ts';

/** Counts the tokens of all parts with the given text counter. */
export function countCountables(
  countables: readonly Countable[],
  family: TokenFamily,
  { countText, how }: { countText: (text: string) => number; how: 'quick' | 'thorough' },
): number {
  let fixed = 0;
  let textual = 0;
  for (const countable of countables) {
    if (countable.kind === 'text') textual += countText(countable.text);
    else fixed += mediaTokens(countable, family, how);
  }
  return Math.ceil(textual * family.textFactor) + fixed;
}
