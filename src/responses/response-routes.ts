import type { Authenticator } from '../auth/authenticate.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonReply, type Reply } from '../http/reply.ts';
import type { Route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { inputItemsPage } from './input-items-page.ts';
import { listedInput } from './listed-input.ts';
import { responseDescriptions } from './response-descriptions.ts';
import { responseNotFound } from './response-not-found.ts';
import type { ResponseStore } from './response-store.ts';
import type { Wanted } from './stored-response.ts';

export type ResponseRoutesParts = { authenticator: Authenticator; store: ResponseStore; clock: Clock };

/** Stored responses, as the key that made them sees them. */
export function responseRoutes({ authenticator, store, clock }: ResponseRoutesParts): Route[] {
  const owned = (handle: (wanted: Wanted, exchange: Exchange) => Promise<Reply | Refusal>) => {
    return async (exchange: Exchange): Promise<Reply | Refusal> => {
      const principal = await authenticator.authenticateRead(exchange, 'bearer');
      if (principal instanceof Refusal) return principal;
      return handle({ id: exchange.params.id!, keyId: principal.apiKey.id, now: clock.now() }, exchange);
    };
  };
  const path = '/v1/responses/{id}';
  return [
    {
      method: 'GET',
      path,
      describe: responseDescriptions.show,
      handle: owned(async (wanted, { query }) => refuseStream(query) ?? showResponse(store, wanted)),
    },
    {
      method: 'DELETE',
      path,
      describe: responseDescriptions.delete,
      handle: owned(async (wanted) => deleteResponse(store, wanted)),
    },
    {
      method: 'GET',
      path: `${path}/input_items`,
      describe: responseDescriptions.inputItems,
      handle: owned(async (wanted, { query }) => listInput(store, wanted, query)),
    },
  ];
}

/** A stored response is read as it was sent; the events that it may have come in are not kept. */
function refuseStream(query: string): Refusal | undefined {
  const parameters = new URLSearchParams(query);
  const param =
    parameters.get('stream') === 'true' ? 'stream' : parameters.has('starting_after') && 'starting_after';
  if (!param) return undefined;
  const message = `${param}: a stored response is read whole; its stream cannot be had again.`;
  return new Refusal('invalid_request', { param, message });
}

async function showResponse(store: ResponseStore, wanted: Wanted): Promise<Reply | Refusal> {
  const found = await store.loadResponse(wanted);
  if (!found) return responseNotFound(wanted.id);
  return { status: 200, body: found.envelope, headers: { 'content-type': 'application/json' } };
}

async function deleteResponse(store: ResponseStore, wanted: Wanted): Promise<Reply | Refusal> {
  const { id } = wanted;
  const isDeleted = await store.deleteResponse(wanted);
  return isDeleted ? jsonReply(200, { id, object: 'response', deleted: true }) : responseNotFound(id);
}

async function listInput(store: ResponseStore, wanted: Wanted, query: string): Promise<Reply | Refusal> {
  const turns = await store.loadTurns(wanted);
  if (turns.length === 0) return responseNotFound(wanted.id);
  const page = inputItemsPage(listedInput(wanted.id, turns), query);
  return page instanceof Refusal ? page : jsonReply(200, page);
}
