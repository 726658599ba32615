import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { CountedText } from '../../canonical/counted-text.ts';

/** Adds what a step says: its texts, and the arguments of its call. */
export function addStep(answerText: CountedText, step: unknown): void {
  const { content, arguments: input } = objectOf(step);
  for (const item of listOf(content)) answerText.add(textOf(objectOf(item).text) ?? '');
  if (Object.keys(objectOf(input)).length > 0) answerText.add(JSON.stringify(input));
}

/** Adds what a piece of a step says. */
export function addDelta(answerText: CountedText, delta: unknown): void {
  const { text, arguments: input } = objectOf(delta);
  answerText.add(textOf(text) ?? textOf(input) ?? '');
}
