import { Refusal } from '../errors/refusal.ts';
import { type JsonMember, scanJson } from './scan-json.ts';

export type JsonObject = Record<string, unknown>;

/** A client's body: its own text, kept for passing on, where its top-level members lie in it, and its value. */
export type JsonBody = { text: string; members: ReadonlyMap<string, JsonMember>; value: JsonObject };

const MAX_DEPTH = 200;

/** Half of a surrogate pair, written as an escape: it parses, but has no UTF-8 form, so it would change on its way. */
const LONE_SURROGATE = /\\u[dD][89abAB]..(?!\\u[dD][c-fC-F]..)|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]../;
const ESCAPED_BACKSLASHES = /\\\\/g;

const invalidJson = (message: string) => new Refusal('invalid_json', { message });

export function parseJsonObject(text: string): JsonBody | Refusal {
  const members = scanJson(text, MAX_DEPTH);
  if (members === 'too-deep') return invalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalidJson(`The body is not valid JSON: ${shortReason(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Refusal('invalid_request', { message: 'The body must be a JSON object.' });
  }
  if (typeof members === 'object' && 'duplicate' in members) {
    return invalidJson(
      `The member ${JSON.stringify(members.duplicate).slice(0, 80)} stands twice in the body.`,
    );
  }
  if (hasLoneSurrogate(text)) return invalidJson('The body holds half of a surrogate pair.');
  return { text, members: members as ReadonlyMap<string, JsonMember>, value: value as JsonObject };
}

function hasLoneSurrogate(text: string): boolean {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return false;
  return LONE_SURROGATE.test(text.replace(ESCAPED_BACKSLASHES, '--'));
}

const shortReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^JSON Parse error: /, '').slice(0, 120);
