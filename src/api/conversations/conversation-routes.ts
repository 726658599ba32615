import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { Validator } from '../../base/schema/validator.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { Handler, Method, Route, RouteDescription } from '../../edge/http/route.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import {
  type ConversationAnswer,
  type ConversationCall,
  ConversationCalls,
  type ConversationCallsParts,
} from './conversation-calls.ts';
import { conversationDescriptions } from './conversation-descriptions.ts';
import { checkBodies, refuseBody } from './conversation-requests.ts';

export type ConversationRoutesParts = ConversationCallsParts & {
  authenticator: Authenticator;
  readBody: BodyReader;
};

/** Returns the routes for conversations. Only the key that created a conversation can access it. */
export function conversationRoutes(parts: ConversationRoutesParts): Route[] {
  const { authenticator, readBody } = parts;
  const service = new ConversationCalls(parts);
  const route = (
    method: Method,
    path: string,
    describe: RouteDescription,
    work: (call: ConversationCall) => ConversationAnswer,
    validate?: Validator,
  ): Route => {
    const handle: Handler = async (exchange) => {
      const principal = await authenticator.authenticateRead(exchange, 'bearer');
      if (principal instanceof Refusal) return principal;
      const body = validate ? await readBody(exchange) : NO_BODY;
      if (body instanceof Refusal) return body;
      const invalid = validate && refuseBody(body, validate);
      return invalid ?? work({ exchange, principal, body, id: exchange.params.id ?? '' });
    };
    return { method, path: `/v1/conversations${path}`, describe, handle };
  };
  const { create, show, update, remove, addItems, listItems, showItem, removeItem } =
    conversationDescriptions;
  return [
    route('POST', '', create, (call) => service.create(call), checkBodies.create),
    route('GET', '/{id}', show, (call) => service.show(call)),
    route('POST', '/{id}', update, (call) => service.update(call), checkBodies.update),
    route('DELETE', '/{id}', remove, (call) => service.remove(call)),
    route('POST', '/{id}/items', addItems, (call) => service.addItems(call), checkBodies.addItems),
    route('GET', '/{id}/items', listItems, (call) => service.listItems(call)),
    route('GET', '/{id}/items/{item}', showItem, (call) => service.showItem(call)),
    route('DELETE', '/{id}/items/{item}', removeItem, (call) => service.removeItem(call)),
  ];
}

const NO_BODY: JsonBody = { text: '{}', value: {}, members: new Map() };
