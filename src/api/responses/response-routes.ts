import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Handler, Route } from '../../edge/http/route.ts';
import type { BackgroundResponses } from '../../inference/background/background-responses.ts';
import type { BackgroundStore } from '../../inference/background/background-store.ts';
import { followFrames } from '../../inference/background/follow-frames.ts';
import { envelopeText } from '../../inference/responses/envelope-text.ts';
import { inputItemsPage } from '../../inference/responses/input-items-page.ts';
import type { LoadCaller, Loads, OwnLoads } from '../../inference/responses/loads.ts';
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
  background: BackgroundStore;
  canceling: Pick<BackgroundResponses, 'cancel'>;
};

/** The routes for stored responses. Only the key that created a response can access it. */
export function responseRoutes(parts: ResponseRoutesParts): Route[] {
  const { authenticator, store, clock, loads } = parts;
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
      handle: owned(async (wanted, caller) =>
        showResponse(parts, wanted, { exchange: caller.exchange, loads: loads.of(caller) }),
      ),
    },
    {
      method: 'DELETE',
      path,
      describe: responseDescriptions.delete,
      handle: owned((wanted) => deleteResponse(parts, wanted)),
    },
    {
      method: 'POST',
      path: `${path}/cancel`,
      describe: responseDescriptions.cancel,
      handle: owned((wanted) => cancelResponse(parts, wanted)),
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

/** Reads the query of a stream that is read again. It is undefined if the response is read whole. */
function readStream(query: string): { after: number } | Refusal | undefined {
  const parameters = new URLSearchParams(query);
  const stream = parameters.get('stream') ?? 'false';
  if (stream !== 'true' && stream !== 'false') return invalid('stream', "must be 'true' or 'false'.");
  const after = parameters.get('starting_after');
  if (stream === 'false') return after === null ? undefined : invalid('starting_after', 'needs stream=true.');
  if (after !== null && !/^\d{1,15}$/.test(after))
    return invalid('starting_after', 'must be the sequence_number of an event.');
  return { after: after === null ? -1 : Number(after) };
}

const invalid = (param: string, message: string): Refusal =>
  new Refusal('invalid_request', { param, message: `${param} ${message}` });

async function showResponse(
  { store, background, clock }: ResponseRoutesParts,
  wanted: Wanted,
  { exchange, loads }: { exchange: Exchange; loads: OwnLoads },
): Promise<Reply | Refusal> {
  const stream = readStream(exchange.query);
  if (stream instanceof Refusal) return stream;
  if (!stream) {
    const envelope = await envelopeText({ store, loads }, wanted);
    if (!(envelope instanceof Refusal)) return jsonText(envelope);
    const made = await background.findBackground(wanted);
    return made ? jsonText(made.envelope) : envelope;
  }
  const made = await background.findBackground(wanted);
  if (made) return followFrames(background, made, { ...stream, clock });
  const isStored = (await store.measureResponse(wanted)) !== undefined;
  return isStored
    ? invalid('stream', 'is not supported: only a recent response in the background can be streamed again.')
    : responseNotFound(wanted.id);
}

const jsonText = (body: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json' },
});

async function deleteResponse(
  { store, background, canceling }: ResponseRoutesParts,
  wanted: Wanted,
): Promise<Reply | Refusal> {
  const { id } = wanted;
  const made = await canceling.cancel(wanted);
  const isForgotten = made !== undefined && (await background.deleteBackground(wanted));
  const isDeleted = await store.deleteResponse(wanted);
  return isDeleted || isForgotten
    ? jsonReply(200, { id, object: 'response', deleted: true })
    : responseNotFound(id);
}

async function cancelResponse(
  { store, canceling }: ResponseRoutesParts,
  wanted: Wanted,
): Promise<Reply | Refusal> {
  const made = await canceling.cancel(wanted);
  if (made) return jsonText(made.envelope);
  const isStored = (await store.measureResponse(wanted)) !== undefined;
  return isStored
    ? new Refusal('invalid_request', { message: 'Only a response in the background can be canceled.' })
    : responseNotFound(wanted.id);
}
