import { compactJson } from '../../../base/json/compact-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';

/** Returns a call's arguments as the vendor wrote them, since parsing would round large numbers. */
export function argumentsText(chunk: string, at: number, part: Record<string, unknown>): string {
  const sent = sliceJson(chunk, ['candidates', 0, 'content', 'parts', at, 'functionCall', 'args']);
  if (sent?.startsWith('{')) return compactJson(sent);
  return JSON.stringify(objectOf(objectOf(part.functionCall).args));
}
