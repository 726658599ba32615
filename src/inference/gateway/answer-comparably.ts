import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { isOwnError, Refusal } from '../../base/errors/refusal.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { type CatalogEntry, isSimulated } from '../../settings/catalog/catalog.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { Permit } from '../admission/admit.ts';
import type { AnswerOrder } from '../fan-out/answer-order.ts';
import { tellLength } from './qualify-request.ts';
import { tellSimulated } from './tell-simulated.ts';

export type Substitution<T extends Comparable> = {
  permit: Pick<Permit, 'isPreview' | 'substitutes'>;
  /** Adapts the request to another model. */
  qualify(entry: CatalogEntry): InferenceRequest | Refusal | Promise<InferenceRequest | Refusal>;
  answer(order: T): Promise<Reply | Refusal>;
};

type Comparable = Pick<AnswerOrder, 'exchange' | 'trail' | 'dialect' | 'routing' | 'entry' | 'request'>;

/** Errors that a request to another model may avoid. A request that has already queued without success is not retried. */
const MAY_FARE_BETTER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_unavailable',
]);

/** The most substitutes that are tried, since each one costs the client time. */
const MOST_SUBSTITUTES = 3;

/** Answers with the requested model, or with a comparable one if that fails. */
export function answerComparably<T extends Comparable>(
  order: T,
  substitution: Substitution<T>,
): Promise<Reply | Refusal> {
  if (substitution.permit.isPreview) tellServedBy(order, order.entry);
  const answer = isSimulated(order.entry) ? answerSimulated : answerOrInstead;
  return answer(order, substitution);
}

async function answerSimulated<T extends Comparable>(
  order: T,
  substitution: Substitution<T>,
): Promise<Reply | Refusal> {
  const { exchange } = order;
  tellSimulated(exchange); // before the answer, since a stream sends its headers first
  const reply = await answerOrInstead(order, substitution);
  if (reply instanceof Refusal) delete exchange.headers[exchange.snapshot.names.header.simulated];
  return reply;
}

async function answerOrInstead<T extends Comparable>(
  order: T,
  substitution: Substitution<T>,
): Promise<Reply | Refusal> {
  const reply = tellLength(order, await substitution.answer(order));
  if (!(reply instanceof Refusal) || !mayBeSubstituted(order, reply)) return reply;
  return (await answerInstead(order, substitution)) ?? reply; // the failure of the requested model
}

async function answerInstead<T extends Comparable>(
  order: T,
  { permit, qualify, answer }: Substitution<T>,
): Promise<Reply | undefined> {
  const { exchange, trail, entry } = order;
  let tried = 0;
  for (const substitute of permit.substitutes()) {
    if (exchange.request.signal.aborted || tried === MOST_SUBSTITUTES) break;
    const request = await qualify(substitute);
    if (request instanceof Refusal) continue;
    tried++;
    tellServedBy(order, substitute);
    const reply = await answer({ ...order, entry: substitute, request });
    if (!(reply instanceof Refusal)) return reply;
  }
  delete exchange.headers[exchange.snapshot.names.header.servedBy];
  trail.model = entry.model.id;
  exchange.notes.servedModel = entry.model.id;
  return undefined;
}

function mayBeSubstituted({ routing, entry }: Comparable, reply: Refusal): boolean {
  const isAway = entry.targets.every(({ provider }) => routing.activity.isDrained(provider.id));
  return (isAway && !isOwnError(reply)) || MAY_FARE_BETTER.has(reply.code);
}

/** Tells the client the public id of the model that served the request, and never the provider. */
function tellServedBy({ exchange, trail }: Comparable, { model }: CatalogEntry): void {
  const { snapshot, headers, notes } = exchange;
  trail.model = model.id;
  notes.servedModel = model.id;
  if (snapshot.config.responses.served_by_header) headers[snapshot.names.header.servedBy] = model.id;
}
