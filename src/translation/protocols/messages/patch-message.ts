import type { JsonObject } from '../../../base/json/json-body.ts';
import { membersOf, patchJson, patchKnown } from '../../../base/json/patch-json.ts';
import { isObject, objectOf, parseObject } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../answer-label.ts';
import { countOf } from '../count-of.ts';
import { jsonString } from '../json-string.ts';
import { encodeDeltaUsage, encodeUsage } from './usage.ts';

/** Clients were promised them, and not every host of this protocol has them. */
const promised = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/** A message's own text, and its value. */
type Message = { text: string; value: JsonObject };

type Shown = {
  /** Where some of it is not. */
  content?: string | undefined;
  /** Of a message that is whole, or that begins with a count that cannot be. */
  usage?: Usage;
};

/** A message's own text with our id, the name that the client sent and every count that it was promised. */
export const patchMessage = (
  { text, value }: Message,
  { id, model }: AnswerLabel,
  { content, usage }: Shown = {},
): string =>
  patchKnown(text, value, {
    content,
    id: jsonString(id),
    model: jsonString(model),
    // Its details are no truer than its totals.
    usage: usage?.isImplausible ? JSON.stringify(encodeUsage(usage)) : completeUsage({ text, value }, usage),
  });

/** The event that closes a message, with the counts that are billed where its own are others or none. */
export function patchClosing(text: string, usage: Usage): string {
  const value = parseObject(text);
  if (!usage.isEstimated && !undoes(objectOf(value.usage), encodeDeltaUsage(usage))) return text;
  const shown = usage.isImplausible
    ? JSON.stringify(encodeDeltaUsage(usage))
    : completeUsage({ text, value }, usage);
  return patchKnown(text, value, { usage: shown });
}

type Counts = ReturnType<typeof encodeDeltaUsage>;

/** An event may say less than those before it, and clients take its word. A smaller input that is none is the vendor's to explain. */
const undoes = (given: JsonObject, billed: Counts): boolean =>
  promised.some((name) => given[name] === 0 && billed[name] > 0) ||
  (countOf(given.output_tokens) ?? billed.output_tokens) < billed.output_tokens;

const isCount = (value: unknown): boolean => value !== undefined && value === countOf(value);

/** Undefined where nothing is missing. What is no count is none; what is not billed is replaced by what is. */
function completeUsage({ text, value }: Message, usage: Usage | undefined): string | undefined {
  const given = objectOf(value.usage);
  const counts = encodeDeltaUsage(usage);
  const isRight = (name: (typeof promised)[number]) =>
    usage ? given[name] === counts[name] : isCount(given[name]);
  const wrong = promised.filter((name) => !isRight(name));
  if (wrong.length === 0) return undefined;
  const known = isObject(value.usage) ? sliceJson(text, ['usage'])! : '{}';
  return patchJson(
    known,
    membersOf(known),
    Object.fromEntries(wrong.map((name) => [name, String(counts[name])])),
  );
}
