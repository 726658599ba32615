import { addUsage } from '../canonical/usage.ts';
import { formatUsage, readUsage } from './openai-usage.ts';

type Completion = { choices: object[]; usage: unknown };

/** Several answers to one request as one with as many choices; each was asked for, so its usage counts. */
export function joinChoices(texts: readonly [string, ...string[]]): string {
  const completions = texts.map((text) => JSON.parse(text) as Completion);
  const choices = completions.flatMap((completion) => completion.choices);
  const usages = completions.flatMap(({ usage }) => readUsage(usage) ?? []);
  return JSON.stringify({
    ...completions[0],
    choices: choices.map((choice, index) => ({ ...choice, index })),
    usage: formatUsage(usages.reduce(addUsage)),
  });
}
