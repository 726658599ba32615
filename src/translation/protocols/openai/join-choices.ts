import type { Usage } from '../../canonical/usage.ts';
import { formatUsage } from './openai-usage.ts';

type Completion = { choices: object[] };

/** Joins several answers into one answer with as many choices, and with the usage of all. */
export function joinChoices(texts: readonly string[], usage: Usage | undefined): string {
  const completions = texts.map((text) => JSON.parse(text) as Completion);
  const choices = completions.flatMap((completion) => completion.choices);
  return JSON.stringify({
    ...completions[0],
    choices: choices.map((choice, index) => ({ ...choice, index })),
    usage: formatUsage(usage),
  });
}
