import type { MarkedPart, Prompt, PromptPart } from '../model/prompt.ts';

const plainText = (parts: PromptPart[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');

export const partsOf = (prompt: Prompt): MarkedPart[] => prompt.turns.flatMap((turn) => turn.parts);

/**
 * What the user wrote last; empty when the last turn is tool results alone, which an answer must not take
 * for a wish.
 */
export function lastUserText(prompt: Prompt): string {
  const last = prompt.turns.findLast((turn) => turn.role === 'user');
  return last ? plainText(last.parts) : '';
}

/** The text of a tool result. */
export const resultText = (part: PromptPart): string =>
  part.kind === 'tool-result' ? plainText(part.parts) : '';
