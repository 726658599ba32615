import type { Prompt } from './prompt.ts';

/** Adds the compaction that the operator ordered, unless the request has one of its own. */
export function forceCompaction(prompt: Prompt, compactAt: number | undefined): Prompt {
  if (compactAt === undefined || prompt.compaction) return prompt;
  return { ...prompt, compaction: { from: compactAt, isAlone: false } };
}
