/**
 * Control characters, line and paragraph separators, characters that change the text direction, and invisible
 * ones. A terminal or a log viewer may act on them.
 */
export const UNPRINTABLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
/** The same pattern without the flag `g`, with which `test` would remember its place. */
const HAS_UNPRINTABLE = new RegExp(UNPRINTABLE.source);

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes unprintable characters in JSON text, whose value stays the same. JSON itself escapes those below a
 * space.
 */
export const escapeUnprintable = (json: string): string =>
  HAS_UNPRINTABLE.test(json) ? json.replace(UNPRINTABLE, escapeCharacter) : json;
