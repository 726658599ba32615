import type { Prompt } from '../model/prompt.ts';
import {
  type ReplyPart,
  type SimulatorChoice,
  type SimulatorReply,
  type SimulatorUsage,
  tokensOf,
} from '../model/reply.ts';
import type { Tokenizer } from '../model/tokenizer.ts';
import { cacheInput } from './cache-input.ts';
import { checkToolResults } from './check-tool-results.ts';
import { compactPrompt } from './compact-prompt.ts';
import { describePrompt } from './describe-prompt.ts';
import { findDirective } from './find-directive.ts';
import { limitChoice } from './limit-choice.ts';
import { pickTools } from './pick-tools.ts';
import { planThinking } from './plan-thinking.ts';
import type { PlanningParts } from './planning-parts.ts';
import { prefixesOf } from './prefixes-of.ts';
import { lastUserText } from './prompt-text.ts';
import { sampleSchema } from './sample-schema.ts';

/** The prefix of every text answer, which marks it as simulated. */
export const LABEL = '[simulated]';

/** Plans the answer. Equal prompts have equal answers. Only their usage can differ, because of the cache. */
export function planReply(prompt: Prompt, planning: PlanningParts): SimulatorReply {
  checkToolResults(prompt);
  const compacted = compactPrompt(prompt, planning);
  if (!compacted) return planAnswers(prompt, planning);
  const { summary, rest } = compacted;
  if (summary.isAlone) return { choices: [{ parts: [], stop: 'end' }], usage: NOTHING_READ, summary };
  return { ...planAnswers(rest, planning), summary };
}

const NOTHING_READ: SimulatorUsage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheLifetime: '5m',
  output: 0,
  thinking: 0,
};

function planAnswers(prompt: Prompt, { tokenizer, cache }: PlanningParts): SimulatorReply {
  const prefixes = prefixesOf(prompt, tokenizer);
  const answer = answerTo(prompt, tokenizer);
  const choices = Array.from({ length: prompt.count }, (_, index) =>
    planChoice(prompt, answer(index), tokenizer),
  );
  const parts = choices.flatMap((choice) => choice.parts);
  return {
    choices,
    usage: {
      ...cacheInput(cache, prefixes, prompt.caching),
      output: sum(parts),
      thinking: sum(parts.filter(({ kind }) => kind === 'thinking')),
    },
  };
}

const sum = (parts: ReplyPart[]): number => parts.reduce((total, part) => total + tokensOf(part), 0);

function planChoice(prompt: Prompt, answer: ReplyPart[], tokenizer: Tokenizer): SimulatorChoice {
  const parts: ReplyPart[] = [];
  if (prompt.reasoning) parts.push(planThinking(prompt, prompt.reasoning, tokenizer));
  const stop = stops[answer.at(-1)!.kind] ?? 'end';
  return limitChoice({ parts: [...parts, ...answer], stop }, prompt, tokenizer);
}

/** The reason to stop by the kind of the last part. All others end the turn. */
const stops: Readonly<Partial<Record<ReplyPart['kind'], SimulatorChoice['stop']>>> = {
  'tool-call': 'tool-calls',
  refusal: 'refusal',
};

/** Returns the answer of each choice. Only the beginning of a text says which choice it is. */
function answerTo(prompt: Prompt, tokenizer: Tokenizer): (index: number) => ReplyPart[] {
  const calls = pickTools(prompt);
  if (calls.length > 0) {
    const parts = calls.map(
      ({ input, ...call }): ReplyPart => ({
        kind: 'tool-call',
        pieces: tokenizer.pieces(input),
        ...call,
      }),
    );
    return () => parts;
  }
  const directive = findDirective(lastUserText(prompt));
  const kind = directive?.kind ?? 'text';
  const structured = kind === 'text' ? structuredText(prompt, directive?.text) : undefined;
  if (structured !== undefined) {
    const pieces = tokenizer.pieces(structured);
    return () => [{ kind, pieces }];
  }
  const text = directive?.text ?? describePrompt(prompt);
  const first = tokenizer.pieces(`${LABEL} ${text}`);
  const rest = prompt.count > 1 ? tokenizer.pieces(` ${text}`) : [];
  return (index) => {
    const label = index === 0 ? [] : tokenizer.pieces(`${LABEL} (choice ${index + 1})`);
    return [{ kind, pieces: index === 0 ? first : [...label, ...rest] }];
  };
}

function structuredText({ format }: Prompt, text: string | undefined): string | undefined {
  if (format.kind === 'schema') return JSON.stringify(sampleSchema(format.schema));
  if (format.kind === 'enum') return String(sampleSchema(format.schema));
  return format.kind === 'json' ? JSON.stringify({ simulated: true, said: text ?? null }) : undefined;
}
