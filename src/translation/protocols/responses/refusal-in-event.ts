import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { refusalOf } from './refusal-of.ts';

/** The events of a failure. */
const failures = new Set(['error', 'response.failed', 'response.cancelled']);

/** Returns the refusal for an event that reports a failure. Returns undefined for other events. */
export const refusalInEvent = (type: string, event: JsonObject): Refusal | undefined =>
  failures.has(type) ? refusalOf(errorIn(event)) : undefined;

function errorIn(event: JsonObject): unknown {
  if (isObject(event.response)) return event.response.error;
  return isObject(event.error) ? event.error : event;
}
