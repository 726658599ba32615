import { addUsage } from '../../canonical/usage.ts';
import { formatUsage, readUsage } from '../openai-usage.ts';
import type { ChatCompletion } from './encode-response.ts';

/** Several answers to one request as one completion with as many choices; each was asked for, so its usage counts. */
export function joinCompletions(completions: readonly [ChatCompletion, ...ChatCompletion[]]): ChatCompletion {
  const choices = completions.flatMap((completion) => completion.choices);
  const usages = completions.flatMap(({ usage }) => readUsage(usage) ?? []);
  return {
    ...completions[0],
    choices: choices.map((choice, index) => ({ ...choice, index })),
    usage: formatUsage(usages.reduce(addUsage)),
  };
}
