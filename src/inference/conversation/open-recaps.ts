import { Refusal } from '../../base/errors/refusal.ts';
import { isRecap, RECAP, recapText, unpackRecap } from '../../translation/encoding/recap.ts';
import { itemsOf } from '../responses/item-texts.ts';

/** Reports whether an input holds summaries that the gateway sealed. */
export const holdsRecaps = (input: unknown): boolean =>
  Array.isArray(input) && input.some((item: Record<string, unknown>) => isRecap(item));

/**
 * Returns the list with each sealed summary as a message, which every wire can carry. Vendors' own
 * compactions stay as they are.
 */
export function openRecaps(list: string, key: Uint8Array): string | Refusal {
  if (!list.includes(RECAP)) return list;
  const opened: string[] = [];
  for (const [index, { text, value }] of itemsOf(list).entries()) {
    if (!isRecap(value)) {
      opened.push(text);
      continue;
    }
    const summary = unpackRecap(String(value.encrypted_content), key);
    if (summary === undefined) return notOurs(`input[${index}].encrypted_content`);
    const content = [{ type: 'input_text', text: recapText(summary) }];
    opened.push(JSON.stringify({ type: 'message', role: 'user', content }));
  }
  return `[${opened.join(',')}]`;
}

const notOurs = (param: string): Refusal =>
  new Refusal('invalid_request', {
    param,
    message: `${param} was not written by this gateway, or was changed since.`,
  });
