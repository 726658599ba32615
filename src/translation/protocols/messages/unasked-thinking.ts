import { jsonList } from '../../../base/json/json-list.ts';
import { patchText } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { elementsOf, sliceJson } from '../../../base/json/slice-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

const isThinking = (block: unknown): boolean => {
  const { type } = objectOf(block);
  return type === 'thinking' || type === 'redacted_thinking';
};

/**
 * Returns the blocks of a whole message without its thinking, each as it was sent.
 * Returns undefined if the message has no thinking.
 */
export function contentWithoutThinking(text: string, content: readonly unknown[]): string | undefined {
  if (!content.some(isThinking)) return undefined;
  const blocks = elementsOf(sliceJson(text, ['content']) ?? '');
  return jsonList(blocks.filter((_, index) => !isThinking(content[index])));
}

/**
 * Removes thinking blocks from a stream's events and renumbers the others.
 * Returns undefined for a hidden event.
 */
export function createThinkingFilter(): (text: string, event: Fields) => string | undefined {
  let hiddenBlocks = 0;
  let isHidden = false; // the open block is hidden; blocks follow one another
  return (text, { type, index, content_block }) => {
    if (typeof index !== 'number') return text;
    if (type === 'content_block_start') {
      isHidden = isThinking(content_block);
      if (isHidden) hiddenBlocks++;
    }
    if (isHidden) return undefined;
    if (hiddenBlocks === 0) return text;
    return patchText(text, { index: String(index - hiddenBlocks) });
  };
}
