import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBody, parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import { storedResponses } from '../../translation/protocols/responses/stored-responses.ts';
import { itemsForAnother } from '../conversation/model-items.ts';
import { joinLists } from '../responses/item-texts.ts';
import type { RecentResponse } from './recent-responses.ts';

/** A request with everything that only its connection knows. `echo`: members that the answer repeats. */
export type ContinuedRequest = { body: JsonBody; echo: Record<string, unknown> | undefined };

/** Returns the list of the request's own input. */
export function ownInput({ text, members }: JsonBody): string {
  const member = members.get('input');
  return storedResponses.inputList(member ? text.slice(member.start, member.end) : '[]');
}

/** Returns the id of the response that a request continues. */
export const previousIdOf = ({ value }: JsonBody): string | undefined =>
  typeof value.previous_response_id === 'string' ? value.previous_response_id : undefined;

/** Puts a response that only the connection knows before the input of a request. */
export function continueRecent(
  body: JsonBody,
  recent: RecentResponse,
  yieldQueue: YieldQueue,
): MaybeLater<JsonBody | Refusal> {
  const output = recent.model === body.value.model ? recent.output : itemsForAnother(recent.output).items;
  const input = joinLists([recent.input, output, ownInput(body)]);
  const previousId = recent.previousId === undefined ? null : JSON.stringify(recent.previousId);
  const text = patchJson(body.text, body.members, { input, previous_response_id: previousId });
  return parseBody(text, yieldQueue);
}

/** Puts items before the input of a request. */
export const withInputBefore = (
  body: JsonBody,
  items: string,
  yieldQueue: YieldQueue,
): MaybeLater<JsonBody | Refusal> =>
  parseBody(patchJson(body.text, body.members, { input: joinLists([items, ownInput(body)]) }), yieldQueue);

/** Returns the request that continues a response with new input and the same settings. */
export const successorOf = (
  body: JsonBody,
  { id, input }: { id: string; input: string },
): JsonBody | Refusal =>
  parseBodyAtOnce(patchJson(body.text, body.members, { input, previous_response_id: JSON.stringify(id) }));
