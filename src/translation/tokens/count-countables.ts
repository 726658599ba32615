import type { Countable } from './countable.ts';
import { mediaTokens } from './media-tokens.ts';
import type { TokenFamily } from './token-families.ts';

/** Counts the tokens of all parts with the given text counter. */
export function countCountables(
  countables: readonly Countable[],
  family: TokenFamily,
  { countText, effort }: { countText: (text: string) => number; effort: 'quick' | 'thorough' },
): number {
  let fixedTokens = 0;
  let textTokens = 0;
  for (const countable of countables) {
    if (countable.kind === 'text') textTokens += countText(countable.text);
    else fixedTokens += mediaTokens(countable, family, effort);
  }
  return Math.ceil(textTokens * family.textFactor) + fixedTokens;
}
