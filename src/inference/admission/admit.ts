import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { type PaymentMode, paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import type { Model } from '../../settings/catalog/model.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import { type ModelQuestion, refusePlan, refuseUnlisted, suggestModels } from './model-admission.ts';
import { openSubstitutes } from './open-substitutes.ts';

/** An admitted request: the model it may use and the payment mode. */
export type Permit = {
  entry: CatalogEntry;
  mode: PaymentMode;
  /** The name belongs to an announced model, and this model answers for it. */
  isPreview: boolean;
  /** Lists the models that may answer instead of this one. */
  substitutes: () => readonly CatalogEntry[];
};

/** The model name that the client sent, and the kind of model that the endpoint needs. */
export type AskedModel = { name: string; kind: ModelKind };

/** Admits a request or refuses it. Faults are reported in this order: model, payment and plan, the key's own list, the model's kind. */
export function admit(exchange: Exchange, principal: Principal, asked: AskedModel): Permit | Refusal {
  const judged = judge(exchange, principal, asked);
  if (judged instanceof Refusal) return judged;
  return judged.closed ?? judged.unlisted ?? judged.wrongKind ?? judged.permit;
}

/** The permit for a request, with the reasons to refuse it in the order in which they are reported. */
export type Judged = {
  permit: Permit;
  /** The payment mode or the account's plan excludes the request. */
  closed: Refusal | undefined;
  /** The key's own list does not include the model. */
  unlisted: Refusal | undefined;
  /** The model is of another kind than this endpoint needs. */
  wrongKind: Refusal | undefined;
};

export function judge(exchange: Exchange, principal: Principal, asked: AskedModel): Judged | Refusal {
  const { snapshot } = exchange;
  const found = snapshot.catalog.lookUp(asked.name, asked.kind);
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
    wrongKind: entry.model.kind === asked.kind ? undefined : wrongKind(entry.model, asked.kind),
  };
}

const wrongKind = ({ id, kind }: Model, asked: ModelKind): Refusal =>
  new Refusal('route_not_qualified', {
    param: 'model',
    message:
      kind === 'chat'
        ? `${id} is a chat model; ${endpointsOf.chat[0]} serves it, and this endpoint takes ${plural(asked)} only.`
        : `${id} is ${withArticle(kind)} model; use it on ${endpointsOf[kind].join(' or ')}.`,
  });

const plural = (kind: ModelKind): string => `${kind} models`;
const withArticle = (kind: ModelKind): string => (/^[aei]/.test(kind) ? `an ${kind}` : `a ${kind}`);

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
