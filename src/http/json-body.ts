import { Refusal } from '../errors/refusal.ts';
import { type JsonBounds, type JsonMember, scanJson } from './scan-json.ts';

export type JsonObject = Record<string, unknown>;

/** A client's body: its own text, kept for passing on, where its top-level members lie in it, and its value. */
export type JsonBody = { text: string; members: ReadonlyMap<string, JsonMember>; value: JsonObject };

const BOUNDS: JsonBounds = { depth: 200, members: 1_000, values: 500_000 };

const OVER_BOUNDS: Record<keyof JsonBounds, string> = {
  depth: `The body is nested deeper than ${BOUNDS.depth} levels.`,
  members: `The body has more than ${BOUNDS.members} members.`,
  values: `The body holds more than ${BOUNDS.values} values.`,
};

const invalidJson = (message: string) => new Refusal('invalid_json', { message });

export function parseJsonObject(text: string): JsonBody | Refusal {
  const members = scanJson(text, BOUNDS);
  if (typeof members === 'string') return invalidJson(OVER_BOUNDS[members]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalidJson(`The body is not valid JSON: ${shortReason(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Refusal('invalid_request', { message: 'The body must be a JSON object.' });
  }
  if ('duplicate' in members) {
    return invalidJson(
      `The member ${JSON.stringify(members.duplicate).slice(0, 80)} stands twice in the body.`,
    );
  }
  if (hasLoneSurrogate(text)) return invalidJson('The body holds half of a surrogate pair.');
  return { text, members: members as ReadonlyMap<string, JsonMember>, value: value as JsonObject };
}

const HIGH_DIGITS = '89abAB';
const LOW_DIGITS = 'cdefCDEF';

/** Whether `\\uD` and one of these digits stand at `at`. */
const isSurrogate = (digits: string, text: string, at: number): boolean =>
  text[at] === '\\' &&
  text[at + 1] === 'u' &&
  (text[at + 2] === 'd' || text[at + 2] === 'D') &&
  digits.includes(text[at + 3] ?? ' ');

/** Half of a surrogate pair, written as an escape: it parses, but has no UTF-8 form, so it would change on its way. */
function hasLoneSurrogate(text: string): boolean {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return false;
  // From escape to escape: a pattern over the whole text would have to look back, or at a copy without escaped backslashes.
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    if (isSurrogate(LOW_DIGITS, text, at)) return true;
    if (!isSurrogate(HIGH_DIGITS, text, at)) at += 2;
    else if (isSurrogate(LOW_DIGITS, text, at + 6)) at += 12;
    else return true;
  }
  return false;
}

const shortReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^JSON Parse error: /, '').slice(0, 120);
