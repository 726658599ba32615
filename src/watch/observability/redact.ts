import { PLACEHOLDER, redactText } from '../../base/lib/redact-text.ts';

const KEY_NAMES = /(^|_|-)(authorization|api_?key|access_?key(_?id)?|token|secret|password|cookie)$/i;

const MAX_DEPTH = 4;

/** Returns a copy without secrets, for the log. Errors keep only their name and message. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
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
