/** `${NAME}` or `${NAME:-default}`. */
export type VariablePlaceholder = { kind: 'variable'; name: string; fallback: string | undefined };
/** `${file:/path}`. `source` is the placeholder itself. */
export type FilePlaceholder = { kind: 'file'; path: string; source: string };
/** `$${`, with the text up to the brace. `shown` is the text that it stands for. */
type Escape = { kind: 'escape'; shown: string };

/** A placeholder of a configuration. */
export type Placeholder = VariablePlaceholder | FilePlaceholder | Escape;

const PLACEHOLDER = /\$\$\{[^}\n]*\}?|\$\{file:([^}\n]+)\}|\$\{([A-Za-z_]\w*)(?::-([^}\n]*))?\}/g;
/** The start of a private-use area of Unicode. Configurations do not use its characters. */
const HIDDEN_FROM = 0xf400;
const PRINTABLE = /[\u0020-\u007e]/g;
const HIDDEN = /[\uf420-\uf47e]/g;
/** `${…}`, with each character hidden. */
const HIDDEN_PLACEHOLDER = /\uf424+\uf47b[^\uf47d\n]*\uf47d?/g;

/** Replaces each placeholder of a text by what the function returns for it. */
export const replacePlaceholders = (
  source: string,
  replacementOf: (placeholder: Placeholder) => string,
): string =>
  source.replace(PLACEHOLDER, (match: string, path?: string, name?: string, fallback?: string) =>
    replacementOf(placeholderOf(match, { path, name, fallback })),
  );

type Groups = { path: string | undefined; name: string | undefined; fallback: string | undefined };

function placeholderOf(source: string, { path, name, fallback }: Groups): Placeholder {
  if (path !== undefined) return { kind: 'file', path, source };
  if (name !== undefined) return { kind: 'variable', name, fallback };
  return { kind: 'escape', shown: source.slice(1) };
}

const shifted = (character: string, by: number): string => String.fromCharCode(character.charCodeAt(0) + by);

/**
 * Hides placeholders from the YAML parser, since `{ port: ${PORT} }` is not valid YAML: a plain scalar in a
 * flow mapping must not contain braces. Each character is replaced by one other, so lines and columns stay
 * the same.
 */
export const hidePlaceholders = (text: string): string =>
  text.replace(PLACEHOLDER, (placeholder) =>
    placeholder.replace(PRINTABLE, (character) => shifted(character, HIDDEN_FROM)),
  );

/** Restores a text whose placeholders are hidden. */
export const showPlaceholders = (text: string): string =>
  text.replace(HIDDEN_PLACEHOLDER, (placeholder) =>
    placeholder.replace(HIDDEN, (character) => shifted(character, -HIDDEN_FROM)),
  );
