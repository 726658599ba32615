import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import type { Said } from '../../canonical/said.ts';

/** Adds what a step says: its texts, and the arguments of its call. */
export function addStep(said: Said, step: unknown): void {
  const { content, arguments: input } = objectOf(step);
  for (const one of listOf(content)) said.add(textOf(objectOf(one).text) ?? '');
  if (Object.keys(objectOf(input)).length > 0) said.add(JSON.stringify(input));
}

/** Adds what a piece of a step says. */
export function addDelta(said: Said, delta: unknown): void {
  const { text, arguments: input } = objectOf(delta);
  said.add(textOf(text) ?? textOf(input) ?? '');
}
