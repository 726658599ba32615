import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { inputItemsPage } from '../../inference/responses/input-items-page.ts';
import type { Loads, OwnLoads } from '../../inference/responses/loads.ts';
import type { ResponseLookup } from '../../inference/responses/response-store.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import { storedResponses } from '../../translation/protocols/responses/stored-responses.ts';
import { answerHandler } from './answer-handler.ts';
import { jsonTextReply } from './json-text-reply.ts';
import { readResponseQuery } from './read-response-query.ts';
import { responseDescriptions } from './response-descriptions.ts';
import { StoredAnswers, type StoredAnswersParts } from './stored-answers.ts';

export type ResponseRoutesParts = StoredAnswersParts & { authenticator: Authenticator; loads: Loads };

const form = { form: storedResponses, style: 'openai' } as const;

/** Returns the routes for stored responses. Only the key that created a response can access it. */
export function responseRoutes(parts: ResponseRoutesParts): Route[] {
  const { authenticator, store, clock, loads } = parts;
  const answers = new StoredAnswers(parts, form);
  const handler = { authenticator, clock, answers, keyHeader: 'bearer' } as const;
  const path = '/v1/responses/{id}';
  return [
    {
      method: 'GET',
      path,
      describe: responseDescriptions.show,
      handle: answerHandler(handler, (wanted, caller) =>
        showResponse(answers, wanted, { exchange: caller.exchange, loads: loads.of(caller) }),
      ),
    },
    {
      method: 'DELETE',
      path,
      describe: responseDescriptions.delete,
      handle: answerHandler(handler, async (wanted) => {
        const refusal = await answers.delete(wanted);
        return refusal ?? jsonReply(200, { id: wanted.id, object: 'response', deleted: true });
      }),
    },
    {
      method: 'POST',
      path: `${path}/cancel`,
      describe: responseDescriptions.cancel,
      handle: answerHandler(handler, async (wanted) => jsonTextReply(await answers.cancel(wanted))),
    },
    {
      method: 'GET',
      path: `${path}/input_items`,
      describe: responseDescriptions.inputItems,
      handle: answerHandler(handler, async (wanted, caller) => {
        const page = await inputItemsPage(
          { store, loads: loads.of(caller) },
          { wanted, query: caller.exchange.query },
        );
        return jsonTextReply(page ?? answers.notFound(wanted.id));
      }),
    },
  ];
}

/** Shows a response whole, or streams its events after the one that the client has. */
async function showResponse(
  answers: StoredAnswers,
  wanted: ResponseLookup,
  { exchange, loads }: { exchange: Exchange; loads: OwnLoads },
): Promise<Reply | Refusal> {
  const query = readResponseQuery(exchange.query);
  if (query instanceof Refusal) return query;
  if (query.after === undefined) return jsonTextReply(await answers.show(wanted, loads));
  return (await answers.follow(wanted, query.after)) ?? answers.refuseFollowing(wanted);
}
