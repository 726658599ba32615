import { elementsOf } from '../../base/json/slice-json.ts';
import { type ListedItem, listedItem } from './listed-item.ts';
import type { ListedRange, ListedSection } from './response-store.ts';
import { isListed } from './split-list.ts';

/** Returns the items of a section that are in a range, as the response's listing shows them. */
export function sectionItems(
  list: string,
  { first, isOutput }: ListedSection,
  { responseId, from, to }: ListedRange & { responseId: string },
): ListedItem[] {
  const shown = elementsOf(list).filter((text) => isListed(text, isOutput));
  const start = Math.max(from, first);
  return shown
    .slice(start - first, Math.max(to - first, 0))
    .map((text, index) => listedItem(text, responseId, start + index));
}
