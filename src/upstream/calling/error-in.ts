import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';
import { unknownError } from './unknown-error.ts';

/** The members in which hosts send the message and the type of an error. The first one present counts. */
const MESSAGES = ['message', 'Message', 'msg', 'detail', 'error_description', 'error'];
const TYPES = ['type', '__type', 'status'];

/** Returns what an error object says. Hosts send it bare, under `error`, or in a list. */
export function errorIn(value: unknown): UpstreamError {
  const outer = Array.isArray(value) ? value[0] : value;
  if (typeof outer === 'string') return unknownError({ message: outer });
  if (!isObject(outer)) return unknownError();
  const inner = [outer['error'], outer['errors']].map(firstOf).find(isObject) ?? outer;
  const code = inner['code'] ?? inner['reason'];
  return {
    status: statusOf(inner['status'] ?? inner['status_code'] ?? (isStatus(code) ? code : undefined)),
    type: textIn(inner, TYPES),
    code: isStatus(code) ? null : textOrNumber(code),
    message: textIn(inner, MESSAGES) ?? textIn(outer, MESSAGES),
    requestId: textOrNumber(inner['request_id'] ?? outer['request_id'] ?? outer['requestId']),
    param:
      textOrNumber(inner['param'] ?? placeOfProblem(inner['detail'] ?? outer['detail'])) ??
      violatedField(inner['details']),
  };
}

/** Returns the first element of a list, or the value if it is not a list. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const isStatus = (code: unknown): boolean => /^[1-5]\d\d$/.test(textOrNumber(code) ?? '');

const statusOf = (value: unknown): number | null => (isStatus(value) ? Number(value) : null);

/** Returns a text that is not empty, or a number as a text. */
function textOrNumber(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : null;
}

function textIn(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOrNumber(fields[name]) ?? problemText(fields[name]);
    if (text !== null) return text;
  }
  return null;
}

/** Returns the message. Some hosts send a list of problems: `[{ loc: ['body', 'n'], msg }]`. */
function problemText(value: unknown): string | null {
  const problem = Array.isArray(value) ? value[0] : undefined;
  if (!isObject(problem)) return textOrNumber(problem);
  const place = placeOfProblem(value);
  const message = textOrNumber(problem['msg'] ?? problem['message']);
  return place === null || message === null ? message : `${place}: ${message}`;
}

/** Returns the path of the field at fault in the first problem of a list. */
function placeOfProblem(value: unknown): string | null {
  const { loc: place } = objectOf(firstOf(value));
  if (!Array.isArray(place)) return null;
  return place.filter((part) => part !== 'body').join('.') || null;
}

/** Google names the field in a detail of its error. */
function violatedField(details: unknown): string | null {
  for (const detail of Array.isArray(details) ? details : []) {
    const violation = isObject(detail) ? firstOf(detail['fieldViolations']) : undefined;
    if (isObject(violation)) return textOrNumber(violation['field']);
  }
  return null;
}
