import { isObject } from '../../base/lib/is-object.ts';

/**
 * Returns the text of a whole answer of the messages or the chat dialect. It is empty for an answer without
 * text, such as a call of a tool. Returns null if there is no answer.
 */
export function textOfAnswer(answer: unknown): string | null {
  if (!isObject(answer)) return null;
  const content = 'choices' in answer ? contentOfChoice(answer.choices) : answer.content;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(textOfPart).join('') : '';
}

function contentOfChoice(choices: unknown): unknown {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : [];
  return isObject(choice) && isObject(choice.message) ? choice.message.content : undefined;
}

const textOfPart = (part: unknown): string =>
  isObject(part) && typeof part.text === 'string' ? part.text : '';
