import { compactJson } from '../../../base/json/compact-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';

/**
 * Returns the arguments of an event's step as the vendor wrote them, since parsing would round large numbers.
 */
export function argumentsText(event: string, parsed: unknown): string {
  const sent = sliceJson(event, ['step', 'arguments']);
  return sent?.startsWith('{') ? compactJson(sent) : JSON.stringify(objectOf(parsed));
}
