import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../dialect.ts';
import { type JsonPatch, membersOf, patchJson } from '../patch-json.ts';
import { countOf, isObject, objectOf } from '../read-json.ts';
import { encodeDeltaUsage } from './usage.ts';

/** Clients were promised them, and not every host of this protocol has them. */
const promised = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

type MessagePatch = {
  patch?: JsonPatch;
  /** Of a message that is whole. */
  usage?: Usage;
};

/** A message's own text with our id, the name that the client sent and every count that it was promised. */
export function patchMessage(
  text: string,
  { id, model }: AnswerLabel,
  { patch, usage }: MessagePatch = {},
): string {
  const label = { id: JSON.stringify(id), model: JSON.stringify(model) };
  return patchUsage(text, { patch: { ...patch, ...label }, usage });
}

/** The event that closes a message: some hosts count nothing in it. */
export const patchClosing = (text: string, usage: Usage): string => patchUsage(text, { patch: {}, usage });

function patchUsage(text: string, { patch, usage }: { patch: JsonPatch; usage: Usage | undefined }): string {
  const members = membersOf(text);
  const place = members.get('usage');
  const completed = completeUsage(place ? text.slice(place.start, place.end) : '{}', usage);
  return patchJson(text, members, { ...patch, ...(completed !== undefined && { usage: completed }) });
}

const isCount = (value: unknown): boolean => value !== undefined && value === countOf(value);

/** Undefined where nothing is missing. What is no count is none. What we counted ourselves stands in place of what the host says. */
function completeUsage(text: string, usage: Usage | undefined): string | undefined {
  const told: unknown = JSON.parse(text);
  const given = objectOf(told);
  const counts = encodeDeltaUsage(usage);
  const missing = promised.filter((name) => !isCount(given[name]) || usage?.isEstimated);
  if (missing.length === 0) return undefined;
  const known = isObject(told) ? text : '{}';
  return patchJson(
    known,
    membersOf(known),
    Object.fromEntries(missing.map((name) => [name, String(counts[name])])),
  );
}
