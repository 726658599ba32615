/** A value that must never be printed. Printing or serializing it yields a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return PLACEHOLDER;
  }

  toJSON(): string {
    return PLACEHOLDER;
  }
}

const PLACEHOLDER = '[redacted]';

/**
 * Matches the gateway's keys and tokens and the keys of vendors anywhere in a text, also after a prefix: `%20svc_…`, `my_svc_…`. Ids are
 * too short to match.
 */
const KEY_SHAPES =
  /[a-z][a-z0-9-]{0,15}_[0-9A-Za-z]{40,}|(sk|gsk|xai)[-_][0-9A-Za-z_-]{16,}|AIza[0-9A-Za-z_-]{30,}|Bearer(\s|%20)+\S+/gi;
const KEY_NAMES = /(^|_|-)(authorization|api_?key|access_?key(_?id)?|token|secret|password|cookie)$/i;

const MAX_TEXT = 2_000;
const MAX_DEPTH = 4;

/** Matches a part of every key pattern. Most texts fail this cheap test and skip the full one. */
const HINT = /[_-][0-9A-Za-z_-]{16}|AIza|earer/i;

export function redactText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return HINT.test(short) ? short.replace(KEY_SHAPES, PLACEHOLDER) : short;
}

/** Returns a copy without secrets, for the log. Errors keep only their name and message. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Secret) return PLACEHOLDER;
  if (value instanceof Error) return redactText(`${value.name}: ${value.message}`);
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      KEY_NAMES.test(name) ? PLACEHOLDER : redact(item, depth + 1),
    ]),
  );
}
