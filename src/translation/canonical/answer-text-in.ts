import { isObject } from '../../base/lib/is-object.ts';
import type { CountedText } from './counted-text.ts';

/** Members of an answer, in any dialect, that hold what the model wrote. */
// biome-ignore format: a line for each group
const writtenMembers: ReadonlySet<string> = new Set([
  'content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'thinking',
  'arguments', 'input', 'partial_json',
]);

/** Adds the text that the model wrote in a whole answer, and returns the sum. */
export function answerTextIn(value: unknown, answerText: CountedText, isWritten = false): CountedText {
  if (typeof value === 'string') {
    if (isWritten) answerText.add(value);
  } else if (Array.isArray(value)) {
    for (const member of value) answerTextIn(member, answerText, isWritten);
  } else if (isObject(value)) {
    for (const name in value) {
      const member = value[name];
      if (name === 'input' && isObject(member)) answerText.add(JSON.stringify(member));
      else answerTextIn(member, answerText, writtenMembers.has(name));
    }
  }
  return answerText;
}
