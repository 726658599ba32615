import type { Prompt, PromptTurn } from '../model/prompt.ts';
import { type SimulatorSummary, tokensOf } from '../model/reply.ts';
import { describePrompt } from './describe-prompt.ts';
import { inputUsage, type Planner } from './input-usage.ts';
import { prefixesOf } from './prefixes-of.ts';

/** A summary of a prompt, and the prompt that is left. */
export type CompactedPrompt = { summary: SimulatorSummary; rest: Prompt };

/** Compacts a prompt that is long enough. Returns undefined for a shorter prompt. */
export function compactPrompt(prompt: Prompt, planner: Planner): CompactedPrompt | undefined {
  const { compaction } = prompt;
  if (!compaction) return undefined;
  const prefixes = prefixesOf(prompt, planner.tokenizer);
  if (prefixes.at(-1)!.tokens < compaction.from) return undefined;
  const text = `[simulated summary] ${describePrompt(prompt)}`;
  const pieces = planner.tokenizer.pieces(text);
  const usage = { ...inputUsage(prefixes, prompt, planner), output: tokensOf({ pieces }), thinking: 0 };
  const last = prompt.turns.findLast(({ role }) => role === 'user');
  const summarized: PromptTurn = { role: 'assistant', parts: [{ kind: 'summary', text }] };
  return {
    summary: { pieces, usage, isAlone: compaction.isAlone },
    rest: { ...prompt, turns: last ? [summarized, last] : [summarized] },
  };
}
