import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject, listOf, textOf } from '../../../base/json/read-json.ts';

const WORD = 'item_reference';

/** An item that stands for a stored one. The official type lets its word be left out: then it has an id, and nothing that a message has. */
export const isReference = ({ type, id, role, content }: JsonObject): boolean =>
  type === WORD || (type == null && textOf(id) !== undefined && role === undefined && content === undefined);

/** Gives references without a word their word, by which items are told apart. */
export function nameReferences(input: unknown): void {
  for (const item of listOf(input)) if (isObject(item) && isReference(item)) item.type = WORD;
}
