import { countCountables } from './count-countables.ts';
import type { Countable } from './countable.ts';
import { estimateText } from './estimate-text.ts';
import type { TokenFamily } from './token-families.ts';

/** Estimates the tokens without counting, for content that cannot be counted in time. */
export const estimateCountables = (countables: readonly Countable[], family: TokenFamily): number =>
  countCountables(countables, family, {
    countText: (text) => estimateText(text, family.vocabulary),
    effort: 'quick',
  });
