import { type Document, isPair, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml';
import { hidePlaceholders, showPlaceholders } from './placeholder.ts';
import { SECRET_FIELDS } from './secret-fields.ts';

/** A configuration with a mark in place of each secret that the file itself contains. */
export type MaskedText = { text: string; secrets: readonly string[] };

type Span = { start: number; end: number };

const markOf = (index: number): string => `__SECRET_${index + 1}__`;
const MARK = /__SECRET_(\d+)__/g;

/** The forms of secrets that are recognized in every field. */
const KNOWN_FORM = /^(sk|pk|rk|whsec|ghp|gho|xox[a-z]|AIza|AKIA|tga)[-_A-Za-z0-9]{12,}$/;
const PLACEHOLDER = /^\$\{[^}\n]*\}$/;
/** A setting that is commented out. */
const COMMENTED = /^[ \t]*#.*?\b([a-z_]+):[ \t]*(\S.*)$/gm;
/** An address without a user, a password or a query has no secret. */
const PLAIN_ADDRESS = /^["']?[a-z]+:\/\/[^@?#\s]+["']?$/i;

/**
 * Masks the secrets of a configuration. Returns undefined if the text is not valid YAML, so its secrets
 * cannot be found.
 */
export function maskSecrets(text: string): MaskedText | undefined {
  const document = parseDocument(hidePlaceholders(text), {
    lineCounter: new LineCounter(),
    prettyErrors: false,
  });
  if (document.errors.length > 0) return undefined;
  const places = [...secretScalars(document, text), ...secretComments(text)].sort(
    (a, b) => a.start - b.start,
  );
  const secrets: string[] = [];
  let masked = '';
  let from = 0;
  for (const { start, end } of places) {
    if (start < from) continue;
    masked += text.slice(from, start) + markOf(secrets.length);
    secrets.push(text.slice(start, end));
    from = end;
  }
  return { text: masked + text.slice(from), secrets };
}

/** Puts the secrets back. A mark without a secret is kept, and no setting accepts it as its value. */
export const unmaskSecrets = (text: string, secrets: readonly string[]): string =>
  text.replace(MARK, (mark, number: string) => secrets[Number(number) - 1] ?? mark);

/** Reports a mark that stands for no secret. */
export const hasUnknownMark = (text: string, secrets: readonly string[]): boolean =>
  [...text.matchAll(MARK)].some(([, number]) => secrets[Number(number) - 1] === undefined);

function secretScalars(document: Document, text: string): Span[] {
  const places: Span[] = [];
  visit(document, {
    Scalar(key, node, path) {
      if (key === 'key' || !node.range) return;
      const [start, end] = node.range;
      const place = { start, end: start + text.slice(start, end).trimEnd().length };
      const fields = path.flatMap((pair) => (isPair(pair) && isScalar(pair.key) ? [pair.key.value] : []));
      if (isSecret(node, fields, text.slice(place.start, place.end))) places.push(place);
    },
  });
  return places;
}

function isSecret({ value }: Scalar, fields: readonly unknown[], source: string): boolean {
  if (value === null || source === '' || PLACEHOLDER.test(showPlaceholders(source))) return false;
  if (KNOWN_FORM.test(String(value))) return true;
  if (!fields.some((field) => SECRET_FIELDS.has(field))) return false;
  const isAddress = fields.at(-1) === 'base_url';
  return !(isAddress && PLAIN_ADDRESS.test(source));
}

function secretComments(text: string): Span[] {
  return [...text.matchAll(COMMENTED)].flatMap(({ 0: line, 1: field, 2: value = '', index }) => {
    const source = value.trim();
    const isSecretField =
      SECRET_FIELDS.has(field) &&
      !PLACEHOLDER.test(source) &&
      !(field === 'base_url' && PLAIN_ADDRESS.test(source));
    const start = index + line.length - value.length;
    return isSecretField || KNOWN_FORM.test(source) ? [{ start, end: start + value.trimEnd().length }] : [];
  });
}
