import type { Model } from '../../settings/catalog/model.ts';
import { askedOutput } from './asked-output.ts';
import type { CreditQuestion } from './hold-credit.ts';

/** Returns the most output tokens of each answer, as bounded by the request and the model alone. Null if neither sets a bound. */
export function outputCeilingOf(
  { request, dialect }: Pick<CreditQuestion, 'request' | 'dialect'>,
  { kind, maxOutput, contextWindow }: Model,
): number | null {
  if (kind !== 'chat') return null;
  const { ceilings = [], unaskedOutput } = dialect;
  const bound = request.outputRoom ?? maxOutput ?? contextWindow;
  return Math.min(askedOutput(request.body.value, ceilings) ?? unaskedOutput ?? bound, bound);
}
