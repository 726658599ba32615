import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { THINKING_ITEM } from '../chat-completions/reasoning-fields.ts';

type Choice = { delta?: Record<string, unknown>; message?: unknown };

/** Returns true for a content list, which Mistral sends if an answer has thinking or citations. */
const hasList = (message: unknown): message is JsonObject =>
  isObject(message) && Array.isArray(message.content);

/**
 * Returns choices whose content is text, as the chat dialect documents it. Thinking moves to
 * `reasoning_content`. Returns undefined if no content is a list.
 */
export function flattenContent<C extends Choice>(choices: readonly C[]): C[] | undefined {
  if (!choices.some(({ delta, message }) => hasList(delta) || hasList(message))) return undefined;
  return choices.map((choice) => ({
    ...choice,
    ...(hasList(choice.delta) && { delta: flatten(choice.delta) }),
    ...(hasList(choice.message) && { message: flatten(choice.message) }),
  }));
}

function flatten(message: JsonObject): JsonObject {
  const items = listOf(message.content).map(objectOf);
  const thoughts = items.filter(({ type }) => type === THINKING_ITEM);
  const thinking = textsOf(thoughts.flatMap((item) => listOf(item.thinking).map(objectOf)));
  const text = textsOf(items);
  return {
    ...message,
    content: text === '' && thinking !== '' ? null : text,
    ...(thinking !== '' && { reasoning_content: (textOf(message.reasoning_content) ?? '') + thinking }),
  };
}

const textsOf = (items: readonly JsonObject[]): string =>
  items.map(({ text }) => textOf(text) ?? '').join('');
