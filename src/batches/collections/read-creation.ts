import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody, JsonObject } from '../../base/json/json-body.ts';
import { elementsOf } from '../../base/json/slice-json.ts';
import { describeType, describeValue, listed } from '../../base/schema/describe-value.ts';
import { printable } from '../../base/schema/printable.ts';
import { type ProcessingMode, processingModes } from '../stored/batch.ts';
import { type ItemText, readItem } from '../stored/read-item.ts';

/** The most items of a batch. */
export const MAX_ITEMS = 1_000;

export type Creation = { mode: ProcessingMode; items: ItemText[] };

/** Reads a creation, or refuses the first invalid member in the order of the body. */
export function readCreation(body: JsonBody): Creation | Refusal {
  if (body.value.requests === undefined) return noRequests(body.value);
  let mode: { name: string; value: ProcessingMode } | undefined;
  let items: ItemText[] = [];
  for (const [name, value] of Object.entries(body.value)) {
    if (name === 'requests') {
      const itemList = readItems(body, value);
      if (itemList instanceof Refusal) return itemList;
      items = itemList;
    } else if ((name === 'processing_mode' || name === 'lane') && value !== null) {
      if (!isMode(value)) return unknownMode(name, value);
      if (mode && mode.value !== value) return invalidParam(name, `must not differ from ${mode.name}.`);
      mode = { name, value };
    }
  }
  return { mode: mode?.value ?? 'standard', items };
}

const isMode = (value: unknown): value is ProcessingMode =>
  (processingModes as readonly unknown[]).includes(value);

const unknownMode = (name: string, value: unknown): Refusal =>
  invalidParam(name, `must be ${listed(processingModes)}, not ${describeValue(value)}.`);

const noRequests = (body: JsonObject): Refusal =>
  'input_file_id' in body
    ? new Refusal('invalid_request', {
        param: 'requests',
        message:
          'input_file_id is not supported. Send `requests` instead, a list of {custom_id, params} with the body of each request in its params.',
      })
    : invalidParam('requests', 'is required: a list of {custom_id, params}.');

function readItems(body: JsonBody, requests: unknown): ItemText[] | Refusal {
  if (!Array.isArray(requests))
    return invalidParam('requests', `must be an array, not ${describeType(requests)}.`);
  if (requests.length === 0) return invalidParam('requests', 'must have at least one item.');
  if (requests.length > MAX_ITEMS)
    return invalidParam('requests', `must have at most ${MAX_ITEMS} items, and has ${requests.length}.`);
  // The member exists, since its value is the list. Its text has as many elements.
  const { start, end } = body.members.get('requests')!;
  const texts = elementsOf(body.text.slice(start, end));
  const items: ItemText[] = [];
  const places = new Map<string, number>();
  for (const [index, value] of requests.entries()) {
    const path = `requests[${index}]`;
    const item = readItem(path, value, texts[index]!);
    if (item instanceof Refusal) return item;
    const earlier = places.get(item.customId);
    if (earlier !== undefined)
      return invalidParam(
        `${path}.custom_id`,
        `must be unique: requests[${earlier}] has '${printable(item.customId, 64)}' too.`,
      );
    places.set(item.customId, index);
    items.push(item);
  }
  return items;
}
