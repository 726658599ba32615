import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';

type Choice = { index?: number; message?: unknown; logprobs?: unknown };
type Members = Record<string, string>;

/** The members of a message that the vendor always sends, with the texts to add. */
const messageMembers = { role: '"assistant"', content: 'null', refusal: 'null' };

/**
 * Adds the members that the vendor always sends to the text of a whole answer's choices. All other bytes stay
 * as they are. Returns undefined if no choice lacks a member.
 */
export function fillChoices(choices: readonly Choice[], textOf: () => string): string | undefined {
  if (choices.every(isFull)) return undefined;
  return jsonList(elementsOf(textOf()).map((text, place) => fillChoice(choices[place]!, { text, place })));
}

const isFull = ({ index, logprobs, message }: Choice): boolean =>
  index !== undefined && logprobs !== undefined && (!isObject(message) || isFullMessage(message));

const isFullMessage = ({ role, content, refusal, tool_calls }: JsonObject): boolean =>
  role !== undefined && content !== undefined && refusal !== undefined && haveTypes(tool_calls);

const haveTypes = (calls: unknown): boolean => !Array.isArray(calls) || calls.every(hasType);

const hasType = (call: unknown): boolean => !isObject(call) || call.type !== undefined;

function fillChoice(choice: Choice, { text, place }: { text: string; place: number }): string {
  const { index, logprobs, message } = choice;
  const added: Members = {};
  if (index === undefined) added.index = String(place);
  if (logprobs === undefined) added.logprobs = 'null';
  if (isObject(message) && !isFullMessage(message)) added.message = fillMessage(message, text);
  return patchPart(text, added);
}

function fillMessage(message: JsonObject, choiceText: string): string {
  const added: Members = {};
  for (const [name, text] of Object.entries(messageMembers))
    if (message[name] === undefined) added[name] = text;
  const text = sliceJson(choiceText, ['message']) ?? JSON.stringify(message);
  if (!haveTypes(message.tool_calls)) added.tool_calls = typeCalls(listOf(message.tool_calls), text);
  return patchPart(text, added);
}

/** Adds the types of calls, without which typed clients read no call. */
function typeCalls(calls: readonly unknown[], messageText: string): string {
  const texts = elementsOf(sliceJson(messageText, ['tool_calls']) ?? JSON.stringify(calls));
  return jsonList(
    texts.map((text, place) =>
      hasType(calls[place])
        ? text
        : patchPart(text, { type: objectOf(calls[place]).custom ? '"custom"' : '"function"' }),
    ),
  );
}
