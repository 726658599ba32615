import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';

const REFERENCE = 'item_reference';

/**
 * Returns true for an item that refers to a stored one. The official type allows `type` to be absent. The
 * item then has an id, but no role and no content.
 */
export const isReference = ({ type, id, role, content }: JsonObject): boolean =>
  type === REFERENCE ||
  (type == null && textOf(id) !== undefined && role === undefined && content === undefined);

/** Sets the missing `type` of references, by which items are distinguished. */
export function nameReferences(input: unknown): void {
  for (const item of listOf(input)) if (isObject(item) && isReference(item)) item.type = REFERENCE;
}
