import type { Prompt, SimulatorReasoning } from '../model/prompt.ts';
import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorUsage,
  type TokenRun,
  tokensOf,
} from '../model/reply.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import { checkToolResults } from './check-tool-results.ts';
import { compactPrompt } from './compact-prompt.ts';
import { describePrompt } from './describe-prompt.ts';
import { findDirective } from './directives.ts';
import { inputUsage, type Planner } from './input-usage.ts';
import { limitChoice } from './limit-choice.ts';
import { pickTools } from './pick-tools.ts';
import { prefixesOf } from './prefixes-of.ts';
import { lastUserText } from './prompt-text.ts';
import { sampleSchema } from './sample-schema.ts';
import { signThinking } from './sign-thinking.ts';

/** The prefix of every text answer, which marks it as simulated. */
export const LABEL = '[simulated]';

/** The number of thinking sentences for each effort. An unknown effort counts as `medium`. */
const SENTENCES: Record<string, number> = { minimal: 1, low: 2, medium: 4, high: 8, xhigh: 12, max: 16 };

/** Plans the answer. Equal prompts have equal answers. Only their usage can differ, because of the cache. */
export function planReply(prompt: Prompt, planner: Planner): SimulatorReply {
  checkToolResults(prompt);
  const compacted = compactPrompt(prompt, planner);
  if (!compacted) return planAnswers(prompt, planner);
  const { summary, rest } = compacted;
  if (summary.isAlone) return { choices: [{ parts: [], stop: 'end' }], usage: NOTHING_READ, summary };
  return { ...planAnswers(rest, planner), summary };
}

const NOTHING_READ: SimulatorUsage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheLifetime: '5m',
  output: 0,
  thinking: 0,
};

function planAnswers(prompt: Prompt, planner: Planner): SimulatorReply {
  const { tokenizer } = planner;
  const prefixes = prefixesOf(prompt, tokenizer);
  const choices = Array.from({ length: prompt.count }, (_, index) => planChoice(prompt, index, tokenizer));
  const parts = choices.flatMap((choice) => choice.parts);
  return {
    choices,
    usage: {
      ...inputUsage(prefixes, prompt, planner),
      output: sum(parts),
      thinking: sum(parts.filter(({ kind }) => kind === 'thinking')),
    },
  };
}

const sum = (parts: ReplyPart[]): number => parts.reduce((total, part) => total + tokensOf(part), 0);

function planChoice(prompt: Prompt, index: number, tokenizer: Tokenizer): SimulatorChoice {
  const parts: ReplyPart[] = [];
  if (prompt.reasoning) parts.push(think(prompt, prompt.reasoning, tokenizer));
  const answer = planAnswer(prompt, index, tokenizer);
  const kind = answer.at(-1)!.kind;
  const stop = kind === 'tool-call' ? 'tool-calls' : kind === 'refusal' ? 'refusal' : 'end';
  return limitChoice({ parts: [...parts, ...answer], stop }, prompt, tokenizer);
}

function planAnswer(prompt: Prompt, index: number, tokenizer: Tokenizer): ReplyPart[] {
  const calls = pickTools(prompt);
  if (calls.length > 0) {
    return calls.map(({ input, ...call }) => ({
      kind: 'tool-call',
      pieces: tokenizer.pieces(input),
      ...call,
    }));
  }
  const directive = findDirective(lastUserText(prompt));
  const kind = directive?.kind ?? 'text';
  const structured = kind === 'text' ? structuredText(prompt, directive?.text) : undefined;
  const number = index > 0 ? ` (choice ${index + 1})` : '';
  const text = structured ?? `${LABEL}${number} ${directive?.text ?? describePrompt(prompt)}`;
  return [{ kind, pieces: tokenizer.pieces(text) }];
}

function structuredText({ format }: Prompt, text: string | undefined): string | undefined {
  if (format.kind === 'schema') return JSON.stringify(sampleSchema(format.schema));
  return format.kind === 'json' ? JSON.stringify({ simulated: true, said: text ?? null }) : undefined;
}

function think(
  prompt: Prompt,
  { effort, budgetTokens }: SimulatorReasoning,
  tokenizer: Tokenizer,
): ReplyPart {
  const sentences = Array.from(
    { length: SENTENCES[effort] ?? SENTENCES.medium! },
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
