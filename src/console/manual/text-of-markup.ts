import { unescapeHtml } from '../../base/lib/escape-html.ts';

/** Tags inside of a word or a sentence. All other tags separate blocks. */
const INLINE_TAG = /<\/?(?:a|code|strong|em|del)\b[^>]*>/g;
const BLOCK_TAG = /<[^>]*>/g;

/** Returns the text of markup. Blocks are separated by spaces. */
export const textOfMarkup = (markup: string): string =>
  unescapeHtml(markup.replaceAll(INLINE_TAG, '').replaceAll(BLOCK_TAG, ' ')).replaceAll(/\s+/g, ' ').trim();
