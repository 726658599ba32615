import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Handler, Route } from '../../edge/http/route.ts';
import { envelopeText } from '../../inference/responses/envelope-text.ts';
import { inputItemsPage, type PageParts } from '../../inference/responses/input-items-page.ts';
import type { LoadCaller, Loads } from '../../inference/responses/loads.ts';
import { responseNotFound } from '../../inference/responses/response-not-found.ts';
import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { Authenticator } from '../../money/auth/authenticate.ts';
import type { Wanted } from '../../money/ledger/stored-response.ts';
import { responseDescriptions } from './response-descriptions.ts';

export type ResponseRoutesParts = {
  authenticator: Authenticator;
  store: ResponseStore;
  clock: Clock;
  loads: Loads;
};

/** The routes for stored responses. Only the key that created a response can access it. */
export function responseRoutes({ authenticator, store, clock, loads }: ResponseRoutesParts): Route[] {
  const owned = (handle: (wanted: Wanted, caller: LoadCaller) => Promise<Reply | Refusal>): Handler => {
    return async (exchange) => {
      const principal = await authenticator.authenticateRead(exchange, 'bearer');
      if (principal instanceof Refusal) return principal;
      return handle(
        { id: exchange.params.id!, keyId: principal.apiKey.id, now: clock.now() },
        { exchange, principal },
      );
    };
  };
  const path = '/v1/responses/{id}';
  return [
    {
      method: 'GET',
      path,
      describe: responseDescriptions.show,
      handle: owned(
        async (wanted, caller) =>
          refuseStream(caller.exchange.query) ?? showResponse({ store, loads: loads.of(caller) }, wanted),
      ),
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
      handle: owned(async (wanted, caller) => {
        const page = await inputItemsPage(
          { store, loads: loads.of(caller) },
          { wanted, query: caller.exchange.query },
        );
        return typeof page === 'string' ? jsonText(page) : (page ?? responseNotFound(wanted.id));
      }),
    },
  ];
}

/** Refuses to replay a stream, since the events of a streamed response are not stored. */
function refuseStream(query: string): Refusal | undefined {
  const parameters = new URLSearchParams(query);
  const param =
    parameters.get('stream') === 'true' ? 'stream' : parameters.has('starting_after') && 'starting_after';
  if (!param) return undefined;
  const message = `${param} is not supported: a stored response cannot be streamed again.`;
  return new Refusal('invalid_request', { param, message });
}

async function showResponse(parts: PageParts, wanted: Wanted): Promise<Reply | Refusal> {
  const envelope = await envelopeText(parts, wanted);
  return envelope instanceof Refusal ? envelope : jsonText(envelope);
}

const jsonText = (body: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json' },
});

async function deleteResponse(store: ResponseStore, wanted: Wanted): Promise<Reply | Refusal> {
  const { id } = wanted;
  const isDeleted = await store.deleteResponse(wanted);
  return isDeleted ? jsonReply(200, { id, object: 'response', deleted: true }) : responseNotFound(id);
}
