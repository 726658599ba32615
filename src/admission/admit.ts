import type { Principal } from '../auth/principal.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Exchange } from '../http/exchange.ts';
import { type ModelQuestion, refuseModel, suggestModels } from './model-admission.ts';
import { type PaymentMode, paymentMode } from './payment-mode.ts';

/** A request that may go on: as which model, and what pays for it. */
export type Permit = { entry: CatalogEntry; mode: PaymentMode };

/** In the order in which several faults are reported: model, payment and plan, the key's own list, what the model can do. */
export function admit(exchange: Exchange, principal: Principal, name: string): Permit | Refusal {
  const { snapshot } = exchange;
  const entry = snapshot.catalog.resolve(name)?.entry;
  if (!entry) return unknownModel(name);
  const mode = paymentMode(exchange, principal);
  const isUnusable = mode instanceof Refusal;
  const question: ModelQuestion = { principal, mode: isUnusable ? 'subscription' : mode, entry, snapshot };
  if (entry.targets.length === 0) return unavailable(question);
  const refusal = isUnusable ? mode : refuseModel(question);
  if (refusal) return refusal;
  if (entry.model.kind !== 'chat') {
    return new Refusal('route_not_qualified', {
      param: 'model',
      message: `${entry.model.id} is an embedding model; it is served on /v1/embeddings.`,
    });
  }
  return { entry, mode: question.mode };
}

const MAX_SHOWN = 80;

const unknownModel = (name: string): Refusal =>
  new Refusal('unknown_model', {
    param: 'model',
    message: `There is no model '${name.replace(/\p{C}/gu, '').slice(0, MAX_SHOWN)}'; GET /v1/models lists them.`,
  });

const unavailable = (question: ModelQuestion): Refusal =>
  new Refusal('model_unavailable', {
    param: 'model',
    message: `${question.entry.model.id} is not available here.${suggestModels(question)}`,
  });
