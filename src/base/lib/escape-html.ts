/** The characters that are escaped, with their entities. */
const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);
const characters: ReadonlyMap<string, string> = new Map(
  [...entities].map(([character, entity]) => [entity, character]),
);

/** Escapes a text for markup and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities.get(character) ?? character);

/** Returns the text that `escapeHtml` has escaped. */
export const unescapeHtml = (escaped: string): string =>
  escaped.replace(/&[a-z0-9#]+;/g, (entity) => characters.get(entity) ?? entity);
