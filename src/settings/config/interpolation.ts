import { Unavailable } from '../../base/errors/unavailable.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { readSecretFile } from './secret-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\$\{[^}\n]*\}?|\$\{file:([^}\n]+)\}|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}\n]*))?\}/g;
/** Start of a private-use area of Unicode that configurations do not use. */
const VEIL = 0xf400;

const veiled = (character: string): string => String.fromCharCode(VEIL + character.charCodeAt(0));

/**
 * Hides placeholders from the YAML parser, character by character, so that lines and columns stay the same.
 * `{ port: ${PORT} }` is not valid YAML, since a plain scalar in a flow mapping must not contain braces.
 */
export const veil = (text: string): string =>
  text.replace(PLACEHOLDER, (placeholder) => placeholder.replace(/[\u0020-\u007e]/g, veiled));

const VEILED = /[\uf420-\uf47e]/g;
const VEILED_PLACEHOLDER = /\uf424+\uf47b[^\uf47d\n]*\uf47d?/g;

const unveiled = (character: string): string => String.fromCharCode(character.charCodeAt(0) - VEIL);

export const unveil = (text: string): string =>
  text.replace(VEILED_PLACEHOLDER, (placeholder) => placeholder.replace(VEILED, unveiled));

export type Interpolated = {
  text: string;
  /** True if the text contained a placeholder. */
  changed: boolean;
  /** True if the whole text was a single placeholder. */
  whole: boolean;
  problems: string[];
};

// biome-ignore lint/suspicious/noTemplateCurlyInString: the message speaks of placeholders
const MALFORMED = 'has a placeholder that is neither ${NAME}, ${NAME:-default} nor ${file:/path}';

const malformed = (text: string): boolean => text.replaceAll(PLACEHOLDER, '').includes('${');

/** Reads a value. A file that cannot be read is a problem of the place that names it. */
function readOr(problems: string[], read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    problems.push(`cannot be filled in: ${error.message}`);
    return undefined;
  }
}

/**
 * Replaces `${NAME}`, `${NAME:-default}` and `${file:/path}`, and `$${` by `${`.
 * The default applies if the variable is unset or empty.
 */
export function interpolate(source: string, environment: Environment): Interpolated {
  const problems: string[] = [];
  let changed = false;
  const text = source.replace(
    PLACEHOLDER,
    (placeholder, path: string | undefined, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined && path === undefined) return placeholder.slice(1);
      changed = true;
      if (name === undefined) return readOr(problems, () => readSecretFile(path!, placeholder)) ?? '';
      const problemsBefore = problems.length;
      const value = readOr(problems, () => environment[name]) || fallback;
      if (problems.length > problemsBefore) return '';
      if (fallback?.includes('${')) problems.push(`has a placeholder in the default of \${${name}}`);
      if (value === undefined && environment[name] === undefined) {
        const hint = didYouMean(name, Object.keys(environment));
        problems.push(`needs the environment variable ${name}, which is not set and has no default${hint}`);
      }
      return value ?? '';
    },
  );
  if (malformed(source)) problems.push(MALFORMED);
  const whole = changed && source.replace(PLACEHOLDER, '') === '' && source.match(PLACEHOLDER)?.length === 1;
  return { text, changed, whole, problems };
}
