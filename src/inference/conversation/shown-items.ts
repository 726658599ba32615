import { elementsOf } from '../../base/json/slice-json.ts';
import { listedItem } from '../responses/listed-item.ts';

/**
 * Returns a list of given items as a conversation shows them: each has an id, a status and a list of
 * contents.
 */
export const shownItems = (list: string, conversationId: string, firstPlace: number): string =>
  `[${elementsOf(list)
    .map((text, index) => listedItem(text, conversationId, firstPlace + index).text)
    .join(',')}]`;
