import type { JsonObject } from '../../../base/json/json-body.ts';
import { type JsonPatch, patchKnown, patchText } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { keysOf } from '../../../base/lib/records.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { countOf } from '../../framing/count-of.ts';
import { jsonString } from '../../framing/json-string.ts';
import { renameInContent, renameInUsage } from './rename-models.ts';
import { encodeDeltaUsage, encodeUsage } from './usage.ts';

/** The usage fields that every answer must have. Some hosts of this protocol omit some of them. */
const REQUIRED_COUNTS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/** The members of a message that the vendor always sends, beside its usage, with the texts to add. */
const REQUIRED_MEMBERS = {
  type: '"message"',
  role: '"assistant"',
  content: '[]',
  stop_reason: 'null',
  stop_sequence: 'null',
};
const REQUIRED_NAMES = keysOf(REQUIRED_MEMBERS);

/** A message's own text and its parsed value. */
type Message = { text: string; value: JsonObject };

type ShownMessage = {
  /** The content to show, if some of it is hidden. */
  content?: string | undefined;
  /** The usage of a whole message, or of an opening event with an impossible count. */
  usage?: Usage;
};

/** Returns a message's own text with the gateway's id, the client's model name and every required count. */
export function patchMessage(
  message: Message,
  label: AnswerLabel,
  { content, usage }: ShownMessage = {},
): string {
  const { text, value } = message;
  const renamed = renameInContent(content === undefined ? value.content : JSON.parse(content), label);
  return patchKnown(text, value, {
    ...missingMembers(value),
    ...(renamed ? { content: JSON.stringify(renamed) } : content !== undefined && { content }),
    id: jsonString(label.id),
    model: jsonString(label.model),
    // If the totals are impossible, the details are not trusted either.
    usage: usage?.isImplausible ? JSON.stringify(encodeUsage(usage)) : completeUsage(message, label, usage),
  });
}

/** Returns the required members that a host has omitted, or whose value no client can read. */
function missingMembers(value: JsonObject): JsonPatch | undefined {
  let missing: Record<string, string> | undefined;
  for (const name of REQUIRED_NAMES) {
    if (isUsable(name, value[name])) continue;
    missing ??= {};
    missing[name] = REQUIRED_MEMBERS[name];
  }
  return missing;
}

function isUsable(name: keyof typeof REQUIRED_MEMBERS, member: unknown): boolean {
  if (name === 'type') return member === 'message';
  if (name === 'role') return member === 'assistant';
  return name === 'content' ? Array.isArray(member) : member !== undefined;
}

/** Returns the closing event. Its counts become the billed ones if its own differ or are missing. */
export function patchClosing(text: string, usage: Usage, label: AnswerLabel): string {
  const value = parseObject(text);
  const shown = closingUsage({ text, value }, label, usage);
  return shown === undefined ? text : patchKnown(text, value, { usage: shown });
}

/** Returns the usage of the closing event. Returns undefined if its own can stay. */
function closingUsage(event: Message, label: AnswerLabel, usage: Usage): string | undefined {
  const counts = encodeDeltaUsage(usage);
  const reported = objectOf(event.value.usage);
  if (!usage.isEstimated && isReadable(reported) && !undoes(reported, counts)) {
    const renamed = renameInUsage(event.value.usage, label);
    return renamed && JSON.stringify(renamed);
  }
  return usage.isImplausible ? JSON.stringify(counts) : completeUsage(event, label, usage);
}

type Counts = ReturnType<typeof encodeDeltaUsage>;

/**
 * Reports whether an event would lower the counts of earlier events, since clients use the last count. A
 * smaller nonzero input count is left unchanged.
 */
const undoes = (reported: JsonObject, billed: Counts): boolean =>
  REQUIRED_COUNTS.some((name) => reported[name] === 0 && billed[name] > 0) ||
  (countOf(reported.output_tokens) ?? billed.output_tokens) < billed.output_tokens;

/** Reports whether every count that an event has is one. */
const isReadable = (reported: JsonObject): boolean =>
  REQUIRED_COUNTS.every((name) => reported[name] === undefined || isCount(reported[name]));

const isCount = (value: unknown): boolean => value !== undefined && value === countOf(value);

/**
 * Returns the usage with public names of models, with missing and invalid counts filled in, and with counts
 * that differ from the billed ones replaced. Returns undefined if nothing changes.
 */
function completeUsage(
  { text, value }: Message,
  label: AnswerLabel,
  usage: Usage | undefined,
): string | undefined {
  const reported = objectOf(value.usage);
  const counts = encodeDeltaUsage(usage);
  const isRight = (name: (typeof REQUIRED_COUNTS)[number]) =>
    usage ? reported[name] === counts[name] : isCount(reported[name]);
  const wrong = REQUIRED_COUNTS.filter((name) => !isRight(name));
  const renamed = renameInUsage(value.usage, label);
  const renamedText = renamed && JSON.stringify(renamed);
  if (wrong.length === 0) return renamedText;
  const sent = isObject(value.usage) ? sliceJson(text, ['usage']) : undefined;
  const patch = Object.fromEntries(wrong.map((name) => [name, String(counts[name])]));
  return patchText(renamedText ?? sent ?? '{}', patch);
}
