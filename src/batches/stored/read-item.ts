import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { scanJson } from '../../base/json/scan-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import { describeType } from '../../base/schema/describe-value.ts';

/** The most bytes of an item as sent. */
export const MAX_ITEM_BYTES = 100 * 1024;

/** An item with the body of its request as sent by the client. */
export type ItemText = { customId: string; params: string };

const CUSTOM_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads the item at `path`, or refuses its first invalid member. Its request is validated when the item runs.
 */
export function readItem(path: string, item: unknown, text: string): ItemText | Refusal {
  if (!isObject(item)) return invalidParam(path, `must be an object, not ${describeType(item)}.`);
  // A character has at most three bytes, so short texts need no exact count.
  const bytes = text.length * 3 > MAX_ITEM_BYTES ? Buffer.byteLength(text) : 0;
  if (bytes > MAX_ITEM_BYTES)
    return invalidParam(path, `must have at most ${MAX_ITEM_BYTES} bytes, and has ${bytes}.`);
  const members = scanJson(text);
  if (!(members instanceof Map)) return invalidParam(path, 'must not have duplicate members.');
  for (const [name, value] of Object.entries(item)) {
    const fault = faultOf(`${path}.${name}`, name, value);
    if (fault) return fault;
  }
  for (const name of ['custom_id', 'params'])
    if (!Object.hasOwn(item, name)) return invalidParam(`${path}.${name}`, 'is required.');
  // The parsed item has the member, so its text has it.
  const { start, end } = members.get('params')!;
  return { customId: String(item.custom_id), params: text.slice(start, end) };
}

function faultOf(path: string, name: string, value: unknown): Refusal | undefined {
  if (name === 'custom_id') return customIdFault(path, value);
  if (name !== 'params') return undefined;
  if (!isObject(value)) return invalidParam(path, `must be an object, not ${describeType(value)}.`);
  return value.stream === true ? invalidParam(`${path}.stream`, 'must not be set in a batch.') : undefined;
}

function customIdFault(path: string, value: unknown): Refusal | undefined {
  if (typeof value !== 'string') return invalidParam(path, `must be a string, not ${describeType(value)}.`);
  if (CUSTOM_ID.test(value)) return undefined;
  return invalidParam(path, 'must be 1 to 64 of the characters A-Z, a-z, 0-9, _ and -.');
}
