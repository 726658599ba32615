import type { Prompt, PromptTurn } from '../model/prompt.ts';
import { type SimulatorSummary, tokensOf } from '../model/reply.ts';
import { cacheInput } from './cache-input.ts';
import { describePrompt } from './describe-prompt.ts';
import type { PlanningParts } from './planning-parts.ts';
import { prefixesOf } from './prefixes-of.ts';

/** A summary of a prompt, and the prompt that is left. */
export type CompactedPrompt = { summary: SimulatorSummary; rest: Prompt };

/** Compacts a prompt that is long enough. Returns undefined for a shorter prompt. */
export function compactPrompt(
  prompt: Prompt,
  { tokenizer, cache }: PlanningParts,
): CompactedPrompt | undefined {
  const { compaction } = prompt;
  if (!compaction) return undefined;
  const prefixes = prefixesOf(prompt, tokenizer);
  if (prefixes.at(-1)!.tokens < compaction.from) return undefined;
  const text = `[simulated summary] ${describePrompt(prompt)}`;
  const pieces = tokenizer.pieces(text);
  const inputUsage = cacheInput(cache, prefixes, prompt.caching);
  const usage = { ...inputUsage, output: tokensOf({ pieces }), thinking: 0 };
  const last = prompt.turns.findLast(({ role }) => role === 'user');
  const summarized: PromptTurn = { role: 'assistant', parts: [{ kind: 'summary', text }] };
  return {
    summary: { pieces, usage, isAlone: compaction.isAlone },
    rest: { ...prompt, turns: last ? [summarized, last] : [summarized] },
  };
}
