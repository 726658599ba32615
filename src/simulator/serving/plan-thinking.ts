import { lookUp } from '../../base/lib/records.ts';
import type { Prompt, PromptReasoning } from '../model/prompt.ts';
import type { ReplyPart, TokenRun } from '../model/reply.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import { lastUserText } from './prompt-text.ts';
import { signThinking } from './sign-thinking.ts';

/** The number of thinking sentences for each effort. An unknown effort counts as `medium`. */
const SENTENCES: Record<string, number> = { minimal: 1, low: 2, medium: 4, high: 8, xhigh: 12, max: 16 };

/** Plans signed thinking whose length follows from the effort and the budget. */
export function planThinking(
  prompt: Prompt,
  { effort, budgetTokens }: PromptReasoning,
  tokenizer: Tokenizer,
): ReplyPart {
  const sentences = Array.from(
    { length: lookUp(SENTENCES, effort) ?? SENTENCES.medium! },
    (_, index) => ` Step ${index + 1}: the simulator only pretends to think.`,
  );
  const size = lastUserText(prompt).length;
  const whole = `[simulated thinking] The last user text has ${size} characters.${sentences.join('')}`;
  const pieces = withinBudget(tokenizer.pieces(whole), budgetTokens ?? Infinity);
  return { kind: 'thinking', pieces, signature: signThinking(pieces.map(({ text }) => text).join('')) };
}

function withinBudget(pieces: TokenRun[], budget: number): TokenRun[] {
  let spent = 0;
  return pieces.filter(({ tokens }) => {
    spent += tokens;
    return spent <= budget;
  });
}
