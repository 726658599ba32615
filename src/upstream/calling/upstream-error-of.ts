import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Fields } from '../../base/schema/json-type.ts';

type Head = { status?: number; headers?: Pick<Headers, 'get'> };

/** The headers in which vendors send the id of a request. */
const ID_HEADERS = [
  'x-request-id',
  'request-id',
  'x-amzn-requestid',
  'apim-request-id',
  'x-goog-request-id',
  'cf-ray',
];

/** The members in which hosts send each part of an error. The first one that is present counts. */
const MESSAGES = ['message', 'Message', 'msg', 'detail', 'error_description', 'error'];
const TYPES = ['type', '__type', 'status'];

/**
 * Returns what the body of an upstream's error says. A body that is no JSON object is quoted as the message.
 */
export function upstreamErrorOf(body: string, { status, headers }: Head): UpstreamError {
  const parsed = parse(body);
  const error = parsed === undefined ? nothing() : errorIn(parsed);
  if (parsed === undefined && body.trim() !== '') error.message = body.trim();
  error.status = status ?? error.status;
  error.type ??= typeInHeaders(headers);
  error.requestId ??= idInHeaders(headers);
  return error;
}

/** Returns what an error object says. Hosts send it bare, under `error`, or in a list. */
export function errorIn(value: unknown): UpstreamError {
  const outer = Array.isArray(value) ? value[0] : value;
  if (typeof outer === 'string') return { ...nothing(), message: outer };
  if (!isObject(outer)) return nothing();
  const inner = [outer['error'], outer['errors']].map(first).find(isObject) ?? outer;
  const code = inner['code'] ?? inner['reason'];
  return {
    status: numberOf(inner['status'] ?? inner['status_code'] ?? (isStatus(code) ? code : undefined)),
    type: textIn(inner, TYPES),
    code: isStatus(code) ? null : shown(code),
    message: textIn(inner, MESSAGES) ?? textIn(outer, MESSAGES),
    requestId: shown(inner['request_id'] ?? outer['request_id'] ?? outer['requestId']),
    param: shown(inner['param'] ?? placeIn(inner['detail'] ?? outer['detail'])) ?? violated(inner['details']),
  };
}

const nothing = (): UpstreamError => ({
  status: null,
  type: null,
  code: null,
  message: null,
  requestId: null,
  param: null,
});

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const isStatus = (code: unknown): boolean => /^[1-5]\d\d$/.test(String(code));

const numberOf = (value: unknown): number | null => (isStatus(value) ? Number(value) : null);

function shown(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' ? String(value) : null;
}

function textIn(fields: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const text = shown(fields[name]) ?? saidIn(fields[name]);
    if (text !== null) return text;
  }
  return null;
}

/** Returns the message. Some hosts send a list of problems: `[{ loc: ['body', 'n'], msg }]`. */
function saidIn(value: unknown): string | null {
  const problem = Array.isArray(value) ? value[0] : undefined;
  if (!isObject(problem)) return shown(problem);
  const place = placeIn(value);
  const message = shown(problem['msg'] ?? problem['message']);
  return place === null || message === null ? message : `${place}: ${message}`;
}

function placeIn(value: unknown): string | null {
  const { loc: place } = objectOf(first(value));
  if (!Array.isArray(place)) return null;
  return place.filter((part) => part !== 'body').join('.') || null;
}

/** Google names the field in a detail of its error. */
function violated(details: unknown): string | null {
  for (const detail of Array.isArray(details) ? details : []) {
    const violation = isObject(detail) ? first(detail['fieldViolations']) : undefined;
    if (isObject(violation)) return shown(violation['field']);
  }
  return null;
}

const idInHeaders = (headers: Head['headers']): string | null => {
  for (const name of ID_HEADERS) {
    const id = headers?.get(name);
    if (id) return id;
  }
  return null;
};

const typeInHeaders = (headers: Head['headers']): string | null =>
  headers?.get('x-amzn-errortype')?.split(':')[0] ?? null;
