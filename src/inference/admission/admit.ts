import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { Inference } from '../request/inference.ts';
import type { Permit } from '../request/permit.ts';
import { type ModelQuestion, refusePlan, suggestModels } from './model-admission.ts';
import { openSubstitutes } from './open-substitutes.ts';

/** The model name that the client sent, and the kind of model that the endpoint needs. */
export type AskedModel = { name: string; kind: ModelKind };

/**
 * The permit for a request. `closed` is the refusal if the payment mode or the
 * account's plan excludes the request.
 */
export type Judged = { permit: Permit; closed: Refusal | undefined };

/**
 * Finds the model that a request asks for, and admits the request to it if the
 * payment mode and the plan allow that.
 */
export function admit(inference: Inference): Refusal | undefined {
  const { exchange, principal, dialect, request } = inference;
  const kind = dialect.modelKind ?? 'chat';
  const judged = judge(exchange, principal, { name: request.model, kind });
  if (judged instanceof Refusal) return judged;
  const { permit, closed } = judged;
  exchange.notes.modelId = permit.entry.model.id;
  if (closed) return closed;
  inference.permit = permit;
  inference.entry = permit.entry;
  return undefined;
}

/** Finds the model and the payment mode, and checks that both may be used together. */
export function judge(exchange: Exchange, principal: Principal, model: AskedModel): Judged | Refusal {
  const { snapshot } = exchange;
  const found = snapshot.catalog.lookUp(model.name, model.kind);
  if (!found) return unknownModel(model.name);
  const { entry, via } = found;
  const mode = paymentMode(exchange, principal);
  const isUnusable = mode instanceof Refusal;
  const question: ModelQuestion = { principal, mode: isUnusable ? 'subscription' : mode, entry, snapshot };
  const substitutes = () => openSubstitutes(question);
  if (entry.targets.length === 0 && substitutes().length === 0) return unavailable(question);
  return {
    permit: { entry, mode: question.mode, isPreview: via === 'preview', substitutes },
    closed: isUnusable ? mode : refusePlan(question),
  };
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
