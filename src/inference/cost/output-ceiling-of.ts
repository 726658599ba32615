import type { Model } from '../../settings/catalog/model.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { requestedCeiling } from './requested-ceiling.ts';

/** A request with the rules of its protocol for the length of answers. */
export type LimitedAnswer = {
  request: InferenceRequest;
  dialect: Pick<Dialect, 'ceilings' | 'unaskedOutput'>;
};

/**
 * Returns the most output tokens of each answer, as bounded by the request and the model alone. Returns null
 * if neither sets a bound.
 */
export function outputCeilingOf(
  { request, dialect }: LimitedAnswer,
  { kind, maxOutput, contextWindow }: Model,
): number | null {
  if (kind !== 'chat') return null;
  const { ceilings = [], unaskedOutput } = dialect;
  const bound = request.outputSpace ?? maxOutput ?? contextWindow;
  return Math.min(requestedCeiling(request.body.value, ceilings) ?? unaskedOutput ?? bound, bound);
}
