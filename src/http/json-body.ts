import { Refusal } from '../errors/refusal.ts';
import { type JsonBounds, measureJson } from './measure-json.ts';
import { type JsonMember, scanJson } from './scan-json.ts';

export type JsonObject = Record<string, unknown>;

/** A client's body: its own text, kept for passing on, its value, and where its top-level members lie in the text. */
export type JsonBody = { text: string; value: JsonObject; readonly members: ReadonlyMap<string, JsonMember> };

const BOUNDS: JsonBounds = { depth: 200, members: 1_000, values: 500_000 };

const OVER_BOUNDS: Record<keyof JsonBounds, string> = {
  depth: `The body is nested deeper than ${BOUNDS.depth} levels.`,
  members: `The body has more than ${BOUNDS.members} members.`,
  values: `The body holds more than ${BOUNDS.values} values.`,
};

const invalidJson = (message: string) => new Refusal('invalid_json', { message });

export function parseJsonObject(text: string): JsonBody | Refusal {
  const members = measureJson(text, BOUNDS);
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
  // Of two members with one name the parser keeps one.
  if (members > 1 && members !== Object.keys(value).length) return refuseDuplicate(text);
  if (hasLoneSurrogate(text)) return invalidJson('The body holds half of a surrogate pair.');
  return new ParsedBody(text, value as JsonObject);
}

/** A body whose value is known to be that of its text. */
export const knownBody = (text: string, value: JsonObject): JsonBody => new ParsedBody(text, value);

class ParsedBody implements JsonBody {
  readonly text: string;
  readonly value: JsonObject;
  #members: ReadonlyMap<string, JsonMember> | undefined;

  constructor(text: string, value: JsonObject) {
    this.text = text;
    this.value = value;
  }

  /** Looked up by the first who asks: most requests go on with nothing but the model's name changed. */
  get members(): ReadonlyMap<string, JsonMember> {
    this.#members ??= scanJson(this.text) as ReadonlyMap<string, JsonMember>; // neither too deep nor with duplicates
    return this.#members;
  }
}

function refuseDuplicate(text: string): Refusal {
  const scanned = scanJson(text);
  const name = typeof scanned === 'object' && 'duplicate' in scanned ? scanned.duplicate : '';
  return invalidJson(`The member ${JSON.stringify(name).slice(0, 80)} stands twice in the body.`);
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
