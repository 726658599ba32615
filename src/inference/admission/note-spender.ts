import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { endUserOfRequest } from '../../base/tracing/end-user-of-request.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { noteTags } from './note-tags.ts';

/** Notes the end user and the tags of a request, for budgets, records and sums. Refuses invalid tags. */
export function noteSpender(
  exchange: Exchange,
  keyTags: readonly string[] | null,
  body: JsonObject,
): Refusal | undefined {
  exchange.notes.endUser = endUserOfRequest(exchange.request.headers, body);
  return noteTags(exchange, keyTags);
}
