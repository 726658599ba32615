import type { Prompt } from '../model/prompt.ts';
import { lastUserText } from './prompt-text.ts';

/** Makes the model call a tool although nothing orders it. After the tool's result it answers with text. */
export function forceToolCall(prompt: Prompt): Prompt {
  const { tools, toolChoice } = prompt;
  const isFree = toolChoice.kind === 'auto' && tools.length > 0 && lastUserText(prompt) !== '';
  return isFree ? { ...prompt, toolChoice: { kind: 'any' } } : prompt;
}
