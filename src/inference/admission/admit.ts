import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { paymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ModelKind } from '../../translation/canonical/model-kind.ts';
import type { Inference } from '../request/inference.ts';
import type { Permit } from '../request/permit.ts';
import { openSubstitutes } from './open-substitutes.ts';
import { quotedName } from './quoted-name.ts';
import { type ModelQuestion, refusePlan, suggestModels } from './refuse-model.ts';

/** The model name that the client sent, and the kind of model that the endpoint needs. */
export type WantedModel = { name: string; kind: ModelKind };

/** The permit for a request. `excluded` is the refusal if the payment mode or the plan excludes the model. */
export type PermitFinding = { permit: Permit; excluded: Refusal | undefined };

/**
 * Finds the model that a request asks for, and admits the request to it if the payment mode and the plan
 * allow that.
 */
export function admit(inference: Inference): Refusal | undefined {
  const { exchange, principal, dialect, request } = inference;
  const kind = dialect.modelKind ?? 'chat';
  const finding = findPermit(exchange, principal, { name: request.model, kind });
  if (finding instanceof Refusal) return finding;
  const { permit, excluded } = finding;
  exchange.notes.modelId = permit.entry.model.id;
  if (excluded) return excluded;
  inference.permit = permit;
  inference.entry = permit.entry;
  return undefined;
}

/** Finds the model and the payment mode, and checks that both may be used together. */
export function findPermit(
  exchange: Exchange,
  principal: Principal,
  model: WantedModel,
): PermitFinding | Refusal {
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
    excluded: isUnusable ? mode : refusePlan(question),
  };
}

const unknownModel = (name: string): Refusal =>
  new Refusal('unknown_model', {
    param: 'model',
    message: `There is no model '${quotedName(name)}'; GET /v1/models lists them.`,
  });

const unavailable = (question: ModelQuestion): Refusal =>
  new Refusal('model_unavailable', {
    param: 'model',
    message: `${question.entry.model.id} is not available here.${suggestModels(question)}`,
  });
