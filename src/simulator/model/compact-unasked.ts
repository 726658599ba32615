import type { Prompt } from './prompt.ts';
import type { SimulatorExchange } from './wire.ts';

/**
 * Returns the prompt with the compaction that the operator ordered, unless the request has one of its own.
 */
export function compactUnasked(prompt: Prompt, { compactAt }: Pick<SimulatorExchange, 'compactAt'>): Prompt {
  if (compactAt === undefined || prompt.compaction) return prompt;
  return { ...prompt, compaction: { from: compactAt, isAlone: false } };
}
