import { countedAs } from './admission/counted-as.ts';
import { fitRequest, type OutputRoom } from './admission/fit-request.ts';
import { promptTooLong } from './admission/prompt-too-long.ts';
import { unmetNeed } from './admission/unmet-need.ts';
import type { CatalogEntry } from './catalog/catalog.ts';
import { Refusal } from './errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { Dialect, InferenceRequest } from './protocols/dialect.ts';
import { estimateBody } from './tokens/estimate-body.ts';
import type { TokenCounter } from './tokens/token-counter.ts';
import { tokenFamily } from './tokens/token-family.ts';

export type Qualifying = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  counter: TokenCounter;
};

type Qualified = InferenceRequest | Refusal;

/** The request as the model can serve it: it has what is asked for, and window enough. */
export function qualifyRequest(qualifying: Qualifying): Qualified | Promise<Qualified> {
  const { exchange, dialect, request, entry, counter } = qualifying;
  const { needs, ceilings } = dialect;
  const { body } = request;
  const unmet = needs && unmetNeed(entry.model, { body: body.value, needs });
  if (unmet) return unmet;
  if (!ceilings || (request.prompts ?? 1) > 1) return request; // each of several by itself, which the upstream sees
  const room = fitRequest({
    entry,
    style: exchange.style,
    body,
    ceilings,
    count: async (model) => {
      const decoded = request.canonical ?? dialect.codec?.decodeRequest(body);
      return decoded && !(decoded instanceof Refusal) ? counter.countPrompt(decoded, model) : undefined;
    },
  });
  return room instanceof Promise
    ? room.then((known) => withRoom(qualifying, known))
    : withRoom(qualifying, room);
}

function withRoom({ request, entry }: Qualifying, room: OutputRoom | Refusal): Qualified {
  if (room instanceof Refusal) return room;
  return room === undefined || room === entry.model.maxOutput ? request : { ...request, outputRoom: room };
}

/** Where it is the upstream that finds the prompt too long, the client is told the same as by us. */
export function tellLength<T>({ exchange, request, entry }: Omit<Qualifying, 'counter'>, reply: T | Refusal) {
  if (!(reply instanceof Refusal) || reply.code !== 'context_length_exceeded') return reply;
  const { likely } = estimateBody(request.body, tokenFamily(countedAs(entry)));
  return promptTooLong(entry.model, { style: exchange.style, tokens: likely });
}
