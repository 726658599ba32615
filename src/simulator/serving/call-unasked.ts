import type { Prompt } from '../model/prompt.ts';
import { lastUserText } from './prompt-text.ts';

/**
 * Returns the prompt of a model that calls a tool without an order to do so.
 * It answers with text once it has the result.
 */
export function callUnasked(prompt: Prompt): Prompt {
  const { tools, toolChoice } = prompt;
  const isFree = toolChoice.kind === 'auto' && tools.length > 0 && lastUserText(prompt) !== '';
  return isFree ? { ...prompt, toolChoice: { kind: 'any' } } : prompt;
}
