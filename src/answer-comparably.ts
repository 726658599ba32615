import type { CatalogEntry } from './catalog/catalog.ts';
import type { ErrorCode } from './errors/catalogue.ts';
import { Refusal } from './errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { Reply } from './http/reply.ts';
import type { InferenceRequest } from './protocols/dialect.ts';
import type { Routing } from './routing/routing.ts';

export type Comparable = {
  exchange: Exchange;
  routing: Routing;
  entry: CatalogEntry;
  /** The model that was asked for is one to come. */
  isPreview: boolean;
  substitutes: () => readonly CatalogEntry[];
  /** The request as a model can serve it. */
  qualify(entry: CatalogEntry): InferenceRequest | Refusal | Promise<InferenceRequest | Refusal>;
  answer(entry: CatalogEntry, request: InferenceRequest): Promise<Reply | Refusal>;
};

/** Ways to fail that a request to another model may be spared. Who waited for capacity in vain has waited long enough. */
const MAY_FARE_BETTER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_unavailable',
]);

/** Each of them costs the client time. */
const MOST_SUBSTITUTES = 3;

/** The answer of the model that was asked for, else of one that is comparable. */
export async function answerComparably(
  comparable: Comparable,
  request: InferenceRequest,
): Promise<Reply | Refusal> {
  const { exchange, entry, isPreview, substitutes, qualify, answer } = comparable;
  if (isPreview) tellServedBy(exchange, entry);
  const reply = await answer(entry, request);
  if (!(reply instanceof Refusal) || !mayBeSubstituted(comparable, reply)) return reply;
  let asked = 0;
  for (const substitute of substitutes()) {
    if (exchange.request.signal.aborted || asked === MOST_SUBSTITUTES) break;
    const qualified = await qualify(substitute);
    if (qualified instanceof Refusal) continue;
    asked++;
    tellServedBy(exchange, substitute);
    const other = await answer(substitute, qualified);
    if (!(other instanceof Refusal)) return other;
  }
  delete exchange.headers[exchange.snapshot.names.header.servedBy];
  exchange.notes.servedModel = entry.model.id;
  return reply; // what befell the model that was asked for
}

function mayBeSubstituted({ routing, entry }: Comparable, { code }: Refusal): boolean {
  const isAway = entry.targets.every(({ provider }) => routing.activity.isDrained(provider.id));
  return isAway || MAY_FARE_BETTER.has(code);
}

/** The public id of who serves; never the provider. */
function tellServedBy({ snapshot, headers, notes }: Exchange, { model }: CatalogEntry): void {
  notes.servedModel = model.id;
  if (snapshot.config.responses.served_by_header) headers[snapshot.names.header.servedBy] = model.id;
}
