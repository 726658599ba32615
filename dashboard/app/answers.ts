import { signal } from '@preact/signals';

/**
 * The answers of the API by their paths, so that a page that is opened again shows its last state at once.
 */
const answers = new Map<string, unknown>();
const MAX_KEPT = 100;

/** Changes when answers have become outdated. */
export const outdated = signal<{ prefix: string } | undefined>(undefined);

/** Returns the latest answer to a path, if it is kept. */
export const keptAnswer = <Answer>(path: string): Answer | undefined =>
  answers.get(path) as Answer | undefined;

/** Keeps an answer, and drops the oldest of too many. */
export function keepAnswer(path: string, answer: unknown): void {
  answers.delete(path);
  answers.set(path, answer);
  if (answers.size > MAX_KEPT) answers.delete(answers.keys().next().value!);
}

/** Removes all answers, for another person. */
export const forgetAnswers = (): void => answers.clear();

/** Asks again for all answers whose paths begin with this one. Call it after a change. */
export function refreshAnswers(prefix: string): void {
  for (const path of answers.keys()) if (path.startsWith(prefix)) answers.delete(path);
  outdated.value = { prefix };
}
