import type { Refusal } from '../../base/errors/refusal.ts';
import type { Inference } from '../request/inference.ts';
import { refuseFurtherModels } from './refuse-further-models.ts';
import { refuseKind } from './refuse-kind.ts';
import { refuseUnlisted } from './refuse-model.ts';

/**
 * Checks that the key may use the model and those that the request names in addition, and that the model is
 * of the endpoint's kind.
 */
export function checkModel(inference: Inference): Refusal | undefined {
  const { exchange, principal, permit, dialect, request, body, trail, id } = inference;
  const { entry, mode } = permit;
  const { snapshot, notes } = exchange;
  const refusal =
    refuseUnlisted(inference) ??
    refuseKind(entry, dialect.modelKind ?? 'chat') ??
    refuseFurtherModels(body.value, { principal, mode, entry, snapshot });
  if (refusal) return refusal;
  notes.stream = request.stream;
  notes.servedModel = entry.model.id;
  trail.model = entry.model.id;
  if (exchange.trace) exchange.trace.answerId = id;
  return undefined;
}
