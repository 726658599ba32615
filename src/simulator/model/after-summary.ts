import type { PromptTurn } from './prompt.ts';

/** Returns the turns that the model reads: the last summary and what follows it. */
export function afterSummary(turns: PromptTurn[]): PromptTurn[] {
  const at = turns.findLastIndex(({ parts }) => parts.some(({ kind }) => kind === 'summary'));
  if (at < 0) return turns;
  const { role, parts } = turns[at]!;
  const from = parts.findLastIndex(({ kind }) => kind === 'summary');
  return [{ role, parts: parts.slice(from) }, ...turns.slice(at + 1)];
}
