import { compactJson } from '../../../base/json/compact-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';

/** The place of a part: its number in the candidate of a chunk. */
export type PartPlace = { chunkText: string; index: number };

/** Returns a call's arguments as the vendor wrote them, since parsing would round large numbers. */
export function argumentsText(part: Fields, { chunkText, index }: PartPlace): string {
  const path = ['candidates', 0, 'content', 'parts', index, 'functionCall', 'args'];
  const sent = sliceJson(chunkText, path);
  if (sent?.startsWith('{')) return compactJson(sent);
  return JSON.stringify(objectOf(objectOf(part.functionCall).args));
}
