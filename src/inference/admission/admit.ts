import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { type PaymentMode, paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { Catalog, CatalogEntry, ResolvedModel } from '../../settings/catalog/catalog.ts';
import type { Model, ModelKind } from '../../settings/catalog/model.ts';
import { type ModelQuestion, refusePlan, refuseUnlisted, suggestModels } from './model-admission.ts';
import { openSubstitutes } from './open-substitutes.ts';

/** A request that may go on: as which model, and what pays for it. */
export type Permit = {
  entry: CatalogEntry;
  mode: PaymentMode;
  /** Of a model to come, which this one stands for. */
  isPreview: boolean;
  /** Who may answer in its place. */
  substitutes: () => readonly CatalogEntry[];
};

/** The model by the client's name for it, and what it has to be. */
export type AskedModel = { name: string; kind: ModelKind };

/** In the order in which several faults are reported: model, payment and plan, the key's own list, what the model can do. */
export function admit(exchange: Exchange, principal: Principal, asked: AskedModel): Permit | Refusal {
  const judged = judge(exchange, principal, asked);
  if (judged instanceof Refusal) return judged;
  return judged.closed ?? judged.unlisted ?? judged.wrongKind ?? judged.permit;
}

/** What a request is asked of, with why it is not served, in the order in which several reasons are told. */
export type Judged = {
  permit: Permit;
  /** How it is to be paid, or the account's plan, is at fault. */
  closed: Refusal | undefined;
  /** The key's own list does not have the model. */
  unlisted: Refusal | undefined;
  /** The model is none for this endpoint. */
  wrongKind: Refusal | undefined;
};

export function judge(exchange: Exchange, principal: Principal, asked: AskedModel): Judged | Refusal {
  const { snapshot } = exchange;
  const found = findEntry(snapshot.catalog, asked);
  if (!found) return unknownModel(asked.name);
  const { entry, via } = found;
  const mode = paymentMode(exchange, principal);
  const isUnusable = mode instanceof Refusal;
  const question: ModelQuestion = { principal, mode: isUnusable ? 'subscription' : mode, entry, snapshot };
  const hasNobody = entry.targets.length === 0 && openSubstitutes(question).length === 0;
  if (hasNobody) return unavailable(question);
  const substitutes = () => openSubstitutes(question);
  return {
    permit: { entry, mode: question.mode, isPreview: via === 'preview', substitutes },
    closed: isUnusable ? mode : refusePlan(question),
    unlisted: refuseUnlisted(question),
    wrongKind: entry.model.kind === asked.kind ? undefined : wrongKind(entry.model),
  };
}

/** Names of other makers' and announced models stand for chat models: where vectors are made they mean nothing. */
function findEntry(catalog: Catalog, { name, kind }: AskedModel): ResolvedModel | undefined {
  if (kind === 'chat') return catalog.resolve(name);
  const entry = catalog.find(name);
  return entry && { entry, via: 'spelling' };
}

const SERVED_ON: Record<ModelKind, string> = {
  chat: 'is a chat model; /v1/embeddings takes embedding models.',
  embedding: 'is an embedding model; it is served on /v1/embeddings.',
};

const wrongKind = ({ id, kind }: Model): Refusal =>
  new Refusal('route_not_qualified', { param: 'model', message: `${id} ${SERVED_ON[kind]}` });

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
