import type { Prompt } from '../model/prompt.ts';
import type { MarkedPart, PromptPart } from '../model/prompt-part.ts';

const plainText = (parts: PromptPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');

export const partsOf = (prompt: Prompt): MarkedPart[] => prompt.turns.flatMap((turn) => turn.parts);

/**
 * Returns the last text of the user. It is empty if the last turn has tool results only, which must not be
 * read as directives.
 */
export function lastUserText(prompt: Prompt): string {
  const last = prompt.turns.findLast((turn) => turn.role === 'user');
  return last ? plainText(last.parts) : '';
}

/** Returns the text of a tool result. */
export const resultText = (part: PromptPart): string =>
  part.kind === 'tool-result' ? plainText(part.parts) : '';
