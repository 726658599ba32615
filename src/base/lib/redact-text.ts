export const PLACEHOLDER = '[redacted]';

/**
 * Matches the gateway's keys and tokens and the keys of vendors anywhere in a text, even after a prefix:
 * `%20svc_…`, `my_svc_…`. Ids are too short to match.
 */
const KEY_SHAPES = new RegExp(
  [
    '[a-z][a-z0-9-]{0,15}_[0-9A-Za-z]{40,}',
    '(?:sk|gsk|xai)[-_][0-9A-Za-z_-]{16,}',
    '(?:pplx|nvapi)-[0-9A-Za-z_-]{20,}',
    '(?:hf|fw|r8)_[0-9A-Za-z]{20,}',
    'AIza[0-9A-Za-z_-]{30,}',
    'Bearer(?:\\s|%20)+\\S+',
  ].join('|'),
  'gi',
);

const MAX_TEXT = 2_000;

/** Matches a part of every key pattern. Most texts fail this cheap test and skip the full one. */
const HINT = /[_-][0-9A-Za-z_-]{16}|AIza|earer/i;

/** Cuts the text, and replaces everything in it that looks like a key. */
export const redactText = (text: string): string =>
  redactKeys(text.length > MAX_TEXT ? `${redactCutEnd(text.slice(0, MAX_TEXT))}…` : text);

/** The longest beginning of a key that is looked for at the end of a text. */
const MAX_BEGINNING = 512;
const BEGINNING =
  /(?:[a-z][a-z0-9-]{0,15}_|(?:sk|gsk|xai|pplx|nvapi)-|AIza|Bearer(?:\s|%20)+)[0-9A-Za-z_-]*$/i;

/** Replaces what may be the beginning of a key at the end of a text that was cut. */
export function redactCutEnd(text: string): string {
  const at = Math.max(0, text.length - MAX_BEGINNING);
  return text.slice(0, at) + text.slice(at).replace(BEGINNING, PLACEHOLDER);
}

/** Replaces everything in the text that looks like a key. */
export const redactKeys = (text: string): string =>
  HINT.test(text) ? text.replace(KEY_SHAPES, PLACEHOLDER) : text;
