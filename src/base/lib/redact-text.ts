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
  redactKeys(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

/** Replaces everything in the text that looks like a key. */
export const redactKeys = (text: string): string =>
  HINT.test(text) ? text.replace(KEY_SHAPES, PLACEHOLDER) : text;
