import { Refusal } from '../errors/refusal.ts';
import { isObject } from '../lib/is-object.ts';
import type { MaybeLater } from '../lib/maybe-later.ts';
import { WorkSlice, type YieldQueue } from '../lib/yield-queue.ts';
import { SLICED_BODY_BYTES } from './body-sizes.ts';
import { type JsonBody, type JsonObject, knownBody } from './json-body.ts';
import { hasLoneSurrogate, LoneSurrogate } from './lone-surrogate.ts';
import { type JsonBounds, measureJson } from './measure-json.ts';
import { scanJson } from './scan-json.ts';
import { SlicedParser } from './sliced-parser.ts';
import { ValueCount } from './value-count.ts';

const BOUNDS: JsonBounds = { depth: 200, members: 1_000, values: 500_000 };

const OVER_BOUNDS: Record<keyof JsonBounds, string> = {
  depth: `The body is nested deeper than ${BOUNDS.depth} levels.`,
  members: `The body has more than ${BOUNDS.members} members.`,
  values: `The body has more than ${BOUNDS.values} values.`,
};

/** Lists and objects that are counted between two looks at the clock. */
const COUNTED_AT_A_TIME = 512;

const invalidJson = (message: string) => new Refusal('invalid_json', { message });
const notJson = (error: unknown) => invalidJson(`The body is not valid JSON: ${shortReason(error)}`);
const halfPair = () => invalidJson('The body contains half of a surrogate pair.');
const notAnObject = () => new Refusal('invalid_request', { message: 'The body must be a JSON object.' });
const twiceWithin = () => invalidJson('An object within the body has two members with the same name.');
const twice = (name: string) =>
  invalidJson(`The member ${JSON.stringify(name).slice(0, 80)} occurs twice in the body.`);

/**
 * Parses the text of a body, at once or in turns as its length demands. Refuses text that is no JSON object
 * or exceeds the bounds.
 */
export const parseBody = (text: string, yieldQueue: YieldQueue): MaybeLater<JsonBody | Refusal> =>
  text.length < SLICED_BODY_BYTES ? parseBodyAtOnce(text) : parseBodyInTurns(text, yieldQueue);

/** Parses text of any length without a pause. Text from elsewhere is parsed by `parseBody`. */
export function parseBodyAtOnce(text: string): JsonBody | Refusal {
  const sizes = measureJson(text, BOUNDS);
  if (typeof sizes === 'string') return invalidJson(OVER_BOUNDS[sizes]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return notJson(error);
  }
  if (!isObject(value)) return notAnObject();
  // The parser keeps only one of two members with the same name, and the recipient of the text may read the
  // other one.
  const counted = new ValueCount(value);
  counted.count();
  if (counted.values !== sizes.values) return refuseDuplicate(text);
  if (hasLoneSurrogate(text)) return halfPair();
  return knownBody(text, value);
}

/**
 * Parses long text, and gives way to other requests in between. Text that does not start like an object is
 * refused without a scan.
 */
export async function parseBodyInTurns(text: string, yieldQueue: YieldQueue): Promise<JsonBody | Refusal> {
  const start = /[^ \t\r\n]/.exec(text)?.[0] ?? '';
  if (isOtherValue(start)) return notAnObject();
  try {
    const parsed = await new SlicedParser(text, BOUNDS, yieldQueue).parse();
    if (typeof parsed === 'string') return invalidJson(OVER_BOUNDS[parsed]);
    const { value, members, duplicate, values } = parsed;
    if (duplicate !== undefined) return twice(duplicate);
    if ((await countInSlices(value, yieldQueue)) !== values) return twiceWithin();
    return knownBody(text, value, members);
  } catch (error) {
    if (error instanceof LoneSurrogate) return halfPair();
    if (!(error instanceof SyntaxError)) throw error;
    return notJson(error);
  }
}

async function countInSlices(value: JsonObject, yieldQueue: YieldQueue): Promise<number> {
  const slice = new WorkSlice(yieldQueue);
  const counted = new ValueCount(value);
  while (!counted.count(COUNTED_AT_A_TIME)) if (slice.isOver) await slice.giveWay();
  return counted.values;
}

/** Reports whether the text begins like a JSON value other than an object. */
const isOtherValue = (start: string): boolean => start !== '' && '["-0123456789tfn'.includes(start);

function refuseDuplicate(text: string): Refusal {
  const scanned = scanJson(text);
  return typeof scanned === 'object' && 'duplicate' in scanned ? twice(scanned.duplicate) : twiceWithin();
}

const shortReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^JSON Parse error: /, '').slice(0, 120);
