import type { JsonObject } from '../../../base/json/json-body.ts';
import { membersOf, patchJson, patchKnown } from '../../../base/json/patch-json.ts';
import { objectOf, parseObject } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerLabel } from '../../contract/answer-label.ts';
import { countOf } from '../../framing/count-of.ts';
import { jsonString } from '../../framing/json-string.ts';
import { renameInContent, renameInUsage } from './rename-models.ts';
import { encodeDeltaUsage, encodeUsage } from './usage.ts';

/** The usage fields that every answer must have. Some hosts of this protocol omit some of them. */
const promised = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

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
    content: renamed ? JSON.stringify(renamed) : content,
    id: jsonString(label.id),
    model: jsonString(label.model),
    // If the totals are impossible, the details are not trusted either.
    usage: usage?.isImplausible
      ? JSON.stringify(encodeUsage(usage))
      : completeUsage(withOwnNames(message, label), usage),
  });
}

/** Returns the message with public names of models in its usage report. */
function withOwnNames({ text, value }: Message, label: AnswerLabel): Message & { isRenamed: boolean } {
  const usage = renameInUsage(value.usage, label);
  if (usage === undefined) return { text, value, isRenamed: false };
  return {
    text: patchKnown(text, value, { usage: JSON.stringify(usage) }),
    value: { ...value, usage },
    isRenamed: true,
  };
}

/** Returns the closing event. Its counts become the billed ones if its own differ or are missing. */
export function patchClosing(event: string, usage: Usage, label: AnswerLabel): string {
  const { text, value } = withOwnNames({ text: event, value: parseObject(event) }, label);
  if (!usage.isEstimated && !undoes(objectOf(value.usage), encodeDeltaUsage(usage))) return text;
  const shown = usage.isImplausible
    ? JSON.stringify(encodeDeltaUsage(usage))
    : completeUsage({ text, value, isRenamed: false }, usage);
  return patchKnown(text, value, { usage: shown });
}

type Counts = ReturnType<typeof encodeDeltaUsage>;

/**
 * Reports whether an event would lower the counts of earlier events, since clients use the last count. A
 * smaller nonzero input count is left unchanged.
 */
const undoes = (reported: JsonObject, billed: Counts): boolean =>
  promised.some((name) => reported[name] === 0 && billed[name] > 0) ||
  (countOf(reported.output_tokens) ?? billed.output_tokens) < billed.output_tokens;

const isCount = (value: unknown): boolean => value !== undefined && value === countOf(value);

/**
 * Returns the usage with missing and invalid counts filled in, and counts that differ from the billed ones
 * replaced. Returns undefined if nothing changes.
 */
function completeUsage(
  { text, value, isRenamed }: Message & { isRenamed: boolean },
  usage: Usage | undefined,
): string | undefined {
  const reported = objectOf(value.usage);
  const counts = encodeDeltaUsage(usage);
  const isRight = (name: (typeof promised)[number]) =>
    usage ? reported[name] === counts[name] : isCount(reported[name]);
  const wrong = promised.filter((name) => !isRight(name));
  const usageText = isObject(value.usage) ? sliceJson(text, ['usage'])! : '{}';
  if (wrong.length === 0) return isRenamed ? usageText : undefined;
  return patchJson(
    usageText,
    membersOf(usageText),
    Object.fromEntries(wrong.map((name) => [name, String(counts[name])])),
  );
}
