import type { AnswerBounds } from './answer-bounds.ts';

/** A call of a hosted tool: the tokens that it returns to the model, and the tokens that it writes itself. */
export type CallUsage = { tokens: number; written: number };
/** The calls of one group of hosted tools. */
export type Calls = CallUsage & { count: number };

/** The figures that bound the usage of one answer. */
export type MostQuestion = {
  bounds: AnswerBounds;
  /** The most tokens of the prompt. */
  prompt: number;
  /** The output ceiling that the host is sent. */
  ceiling: number;
  /** The calls of hosted tools, whose results are read again in each later turn. */
  calls: readonly Calls[];
};

/** The most tokens of one answer. */
export type MostUsage = {
  /** The input of all turns. */
  input: number;
  /** The whole output. */
  output: number;
  /** The part of the output that is not thinking. */
  visible: number;
  /** The tokens that hosted tools write, such as images. */
  written: number;
  /** The input of the last turn, which other models read too. */
  context: number;
  /** The work apart from the turns if the conversation is compacted in each of them. */
  compacted: { input: number; output: number };
};

/** Returns the most that one answer can use. Holds and believed usage reports are bounded by it. */
export function mostUsage({ bounds, prompt, ceiling, calls }: MostQuestion): MostUsage {
  const output = bounds.thinksOutsideCeiling ? Math.max(ceiling, bounds.own) : ceiling;
  const largestFirst = calls.length > 1 ? [...calls].sort((one, other) => other.tokens - one.tokens) : calls;
  // No turn reads more than the window.
  const maxContext = Math.max(bounds.window, prompt);
  let turns = 1;
  let context = prompt;
  let input = prompt;
  let written = 0;
  for (const { count, tokens, written: ofCall } of largestFirst) {
    if (count === 0) continue;
    if (turns === 1) context += output; // read from the second turn on
    input += laterTurns({ count, tokens, context, maxContext });
    context = Math.min(context + count * tokens, maxContext);
    written += count * ofCall;
    turns += count;
  }
  const compacted = { input, output: bounds.own * turns };
  return { input, output, visible: ceiling, written, context, compacted };
}

type LaterTurns = { count: number; tokens: number; context: number; maxContext: number };

/**
 * Adds up what the turns after each of `count` calls read. Each reads one result more, up to `maxContext`
 * tokens in all.
 */
function laterTurns({ count, tokens, context, maxContext }: LaterTurns): number {
  const space = maxContext - context;
  const fitting = tokens === 0 ? count : Math.floor(space / tokens);
  const growing = space < 0 ? 0 : Math.min(count, fitting);
  return growing * context + (tokens * growing * (growing + 1)) / 2 + (count - growing) * maxContext;
}
