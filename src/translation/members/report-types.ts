import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { knownTypes, type TypePlace } from './known-types.ts';

/** Receives an unknown type, after the word for its place. */
export type ReportUnknown = (placedType: string) => void;

/** Reports the types of an event of `/v1/messages` that are unknown. */
export function reportMessageTypes(event: JsonObject, report: ReportUnknown): void {
  const { event: events, block, delta } = knownTypes.messages;
  reportUnknown('event', event.type, events, report);
  if (event.type === 'content_block_start')
    reportUnknown('block', objectOf(event.content_block).type, block, report);
  if (event.type === 'content_block_delta') reportUnknown('delta', objectOf(event.delta).type, delta, report);
}

/** Reports the types of an event of `/v1/responses` that are unknown. */
export function reportResponseTypes(event: JsonObject, type: string, report: ReportUnknown): void {
  const { event: events, item } = knownTypes.responses;
  reportUnknown('event', type, events, report);
  if (type === 'response.output_item.added') reportUnknown('item', objectOf(event.item).type, item, report);
}

/** Reports a type that is none of the known ones. */
function reportUnknown(
  place: TypePlace,
  type: unknown,
  types: ReadonlySet<string>,
  report: ReportUnknown,
): void {
  if (typeof type === 'string' && !types.has(type)) report(`${place} ${type}`);
}
