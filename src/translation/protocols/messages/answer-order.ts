import type { Block } from './block.ts';

/** Reports whether a block is part of the visible answer. */
export const isAnswer = ({ type }: Block): boolean => type === 'text' || type === 'tool_use';

/**
 * Moves thinking at the end of an answer before its last text or call, since clients read the last block as
 * the answer. An answer of thinking alone stays as it is.
 */
export function withAnswerLast(blocks: readonly Block[]): Block[] {
  const index = blocks.findLastIndex(isAnswer);
  return index < 0 ? [...blocks] : [...blocks.toSpliced(index, 1), ...blocks.slice(index, index + 1)];
}
