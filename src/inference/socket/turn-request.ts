import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody, JsonObject } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import { parseObject } from '../../base/json/read-json.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { storedResponses } from '../../translation/protocols/responses/stored-responses.ts';
import { itemsForAnother } from '../conversation/items-for-model.ts';
import { joinLists } from '../responses/item-texts.ts';

/**
 * A response of the connection that the store does not have, with everything that it continued. `previousId`:
 * the stored response before its input.
 */
export type RecentResponse = {
  id: string;
  model: string;
  previousId: string | undefined;
  input: string;
  output: string;
};

/** One `response.create` of a client. */
export type TurnRequest = {
  /** The lane of the turn. Turns of one lane run one after the other. */
  lane: string | undefined;
  /** A warm-up: nothing is generated. */
  generates: boolean;
  body: JsonBody;
};

/** A request with everything that only its connection knows. `echo`: members that the answer repeats. */
export type ContinuedRequest = { body: JsonBody; echo: Record<string, unknown> | undefined };

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

/** Members of the event that are no members of a request. */
const OF_THE_EVENT = { type: null, stream_id: null, generate: null, background: null };

/** Returns the request of a turn, or a refusal that names the invalid member. */
export function readTurn(event: JsonBody): TurnRequest | Refusal {
  const { stream_id: lane, generate, background } = event.value;
  if (lane != null && (typeof lane !== 'string' || lane === '' || lane.length > 200))
    return invalid('stream_id', 'must be a text of at most 200 characters');
  if (generate != null && typeof generate !== 'boolean') return invalid('generate', 'must be a boolean');
  if (background === true) return invalid('background', 'is not supported over a WebSocket');
  const body = parseBodyAtOnce(patchJson(event.text, event.members, { ...OF_THE_EVENT, stream: 'true' }));
  if (body instanceof Refusal) return body;
  return { lane: typeof lane === 'string' ? lane : undefined, generates: generate !== false, body };
}

/** Returns the list of the request's own input. */
export function ownInput({ text, members }: JsonBody): string {
  const member = members.get('input');
  return storedResponses.inputList(member ? text.slice(member.start, member.end) : '[]');
}

/** Puts a response that only the connection knows before the input of a request. */
export function continued(body: JsonBody, recent: RecentResponse): JsonBody | Refusal {
  const output = recent.model === body.value.model ? recent.output : itemsForAnother(recent.output).items;
  const input = joinLists([recent.input, output, ownInput(body)]);
  const previous = recent.previousId === undefined ? null : JSON.stringify(recent.previousId);
  return parseBodyAtOnce(patchJson(body.text, body.members, { input, previous_response_id: previous }));
}

/** Puts items before the input of a request. */
export const withInputBefore = (body: JsonBody, items: string): JsonBody | Refusal =>
  parseBodyAtOnce(patchJson(body.text, body.members, { input: joinLists([items, ownInput(body)]) }));

/** Returns the request that continues a response with new input and the same settings. */
export function successorOf(
  body: JsonBody,
  { id, input }: { id: string; input: string },
): JsonBody | Refusal {
  const patch = { input, previous_response_id: JSON.stringify(id) };
  return parseBodyAtOnce(patchJson(body.text, body.members, patch));
}

/** Returns the type of a client's event. It is empty if the event has no type. */
export const typeOf = ({ type }: JsonObject): string => (typeof type === 'string' ? type : '');

/** Returns the id of the response that a request continues. */
export const previousOf = ({ value }: JsonBody): string | undefined =>
  typeof value.previous_response_id === 'string' ? value.previous_response_id : undefined;

/** Returns the dialect's reader with members that the answer repeats. */
export const withEcho =
  (dialect: Dialect, echo: Record<string, unknown>): Dialect['read'] =>
  (body) => {
    const request = dialect.read(body);
    return request instanceof Refusal ? request : { ...request, echo: { ...request.echo, ...echo } };
  };

/** Returns the id of the response in an event. */
export function idIn(event: string): string | undefined {
  const { response } = parseObject(event);
  return isObject(response) ? String(response.id) : undefined;
}
