import type { Prompt } from '../model/prompt.ts';
import { lastUserText } from './prompt-text.ts';

/** Makes the model call a tool without an order to do so. It answers with text once it has the result. */
export function forceToolCall(prompt: Prompt): Prompt {
  const { tools, toolChoice } = prompt;
  const isFree = toolChoice.kind === 'auto' && tools.length > 0 && lastUserText(prompt) !== '';
  return isFree ? { ...prompt, toolChoice: { kind: 'any' } } : prompt;
}
